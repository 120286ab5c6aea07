const ENDING =
  /\.(c|cc|clj|cpp|cs|css|cxx|dart|elm|erl|ex|exs|go|groovy|gradle|h|hh|hpp|hs|html|java|jl|js|json|jsx|kt|kts|lua|m|mjs|mm|nix|php|pl|pm|proto|ps1|py|r|rb|rs|scala|scss|sh|sql|swift|tf|toml|ts|tsx|vue|xml|yaml|yml|zig)$/i;
const NAME = /(^|\/)(Dockerfile|Makefile|CMakeLists\.txt|Jenkinsfile)$/;

/**
 * Whether a hit is source code: by its file's name, or by a field that names it.
 *
 * @param {{address: string, title?: string, fields?: object}} hit
 * @returns {boolean}
 */
export function isCode(hit) {
  return isCodeFile(fileOf(hit)) || ['path', 'file', 'filename'].some(name => isCodeFile(String(hit.fields?.[name] ?? '')));
}

/** Whether a file of this name is source code. */
export function isCodeFile(file) {
  return ENDING.test(file) || NAME.test(file);
}

function fileOf(hit) {
  const document = hit.address.split('/').at(-1);
  let name;
  try {
    name = decodeURIComponent(document);
  } catch {
    name = document;
  }
  return name.replace(/#.*$/, '');
}
