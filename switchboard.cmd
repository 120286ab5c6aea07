@echo off
rem Starts Switchboard on Windows, as the script switchboard does elsewhere: the same arguments, options and exit codes.
rem
rem   JAVA_HOME, PATH and the usual folders are searched for a JDK of version 25 or newer; --java-home prints which it is.
rem   conf\jvm.options has the options of the JVM; SWITCHBOARD_JAVA_OPTS adds more: -Xmx2g.
rem   --aot-cache makes a cache of loaded classes beside switchboard.jar, from a run of the demo; later starts use it.
setlocal EnableExtensions DisableDelayedExpansion
set "wanted=25"
set "root=%~dp0"
if "%root:~-1%"=="\" set "root=%root:~0,-1%"

set "jdk="
if defined JAVA_HOME call :try "%JAVA_HOME%"
for %%J in (java.exe) do if not "%%~$PATH:J"=="" call :try "%%~dp$PATH:J.."
for %%R in ("%ProgramFiles%\Java" "%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Microsoft" "%ProgramFiles%\Zulu" "%ProgramFiles%\Amazon Corretto" "%ProgramFiles%\BellSoft" "%LOCALAPPDATA%\Programs\Eclipse Adoptium" "%USERPROFILE%\.jdks") do (
  if exist "%%~R\" for /d %%D in ("%%~R\*") do call :try "%%~fD"
)
if not defined jdk goto no_java
if "%~1"=="--java-home" goto print_java_home
if not exist "%root%\conf\jvm.options" goto no_options

set "program=%root%"
if exist "%root%\switchboard.jar" goto run
set "program=%root%\target\switchboard"
call :build
if errorlevel 1 exit /b 1

:run
rem The JVM takes one collector: another one in SWITCHBOARD_JAVA_OPTS takes the place of the usual one.
set "collector="
if not defined SWITCHBOARD_JAVA_OPTS goto cache
for %%C in (G1 Parallel Z Shenandoah Epsilon) do (
  for %%O in (%SWITCHBOARD_JAVA_OPTS%) do if "%%~O"=="-XX:+Use%%CGC" set "collector=-XX:-UseSerialGC"
)

:cache
rem A JVM that the cache was not made by, or not with these options, starts without it.
set "cache=%program%\switchboard.aot"
set "aot=-Xshare:auto"
if exist "%cache%" set "aot=-XX:AOTCache=%cache%"
if "%~1"=="--aot-cache" goto make_cache
"%jdk%\bin\java.exe" "@%root%\conf\jvm.options" "%aot%" "-Dswitchboard.home=%root%" "-Dlogback.configurationFile=%root%\conf\logback.xml" %collector% %SWITCHBOARD_JAVA_OPTS% -cp "%program%\switchboard.jar" switchboard.Main %*
exit /b %errorlevel%

:make_cache
"%jdk%\bin\java.exe" "@%root%\conf\jvm.options" "-XX:AOTCacheOutput=%cache%" "-Dswitchboard.home=%root%" "-Dlogback.configurationFile=%root%\conf\logback.xml" %collector% %SWITCHBOARD_JAVA_OPTS% -cp "%program%\switchboard.jar" switchboard.Main demo --exit
exit /b %errorlevel%

rem Sets jdk to the folder that is given if it has a good enough JDK and none was found before.
:try
if defined jdk exit /b 0
if not exist "%~f1\bin\java.exe" exit /b 0
if not exist "%~f1\release" exit /b 0
set "version="
for /f "usebackq tokens=1,2 delims==" %%A in ("%~f1\release") do if "%%A"=="JAVA_VERSION" set "version=%%~B"
if not defined version exit /b 0
for /f "tokens=1 delims=.-+" %%V in ("%version%") do set "feature=%%V"
if %feature% geq %wanted% set "jdk=%~f1"
exit /b 0

rem Builds target\switchboard unless it is newer than everything it is made from. Maven says itself how it goes.
:build
set "stamp=%program%\.built"
if not exist "%stamp%" goto build_now
powershell -NoProfile -Command "$built = (Get-Item -LiteralPath $env:stamp).LastWriteTimeUtc; $newer = Get-ChildItem -Recurse -File -LiteralPath (Join-Path $env:root 'src\main'), (Join-Path $env:root 'src\assembly'), (Join-Path $env:root 'pom.xml') | Where-Object { $_.LastWriteTimeUtc -gt $built } | Select-Object -First 1; if ($newer) { exit 1 }"
if not errorlevel 1 exit /b 0

:build_now
where /q mvn.cmd
if errorlevel 1 goto no_maven
if not exist "%jdk%\bin\javac.exe" goto no_javac
echo switchboard: building from source; the first time takes a minute or more, and longer while Maven downloads the libraries>&2
pushd "%root%"
set "JAVA_HOME=%jdk%"
call mvn.cmd -B package "-Dmaven.test.skip=true" "-Dspotless.check.skip=true" "-Denforcer.skip=true" "-Dunchecked=true" 1>&2
if errorlevel 1 goto build_failed
popd
if exist "%program%\switchboard.aot" del "%program%\switchboard.aot"
type nul > "%stamp%"
exit /b 0

:print_java_home
echo %jdk%
exit /b 0

:no_java
echo switchboard: needs JDK %wanted% or newer; there is none in JAVA_HOME, on the PATH or in the usual folders>&2
exit /b 1

:no_options
echo switchboard: %root%\conf\jvm.options is missing>&2
exit /b 1

:no_maven
echo switchboard: needs Maven (mvn) to build from source; or unpack a built archive>&2
exit /b 1

:no_javac
echo switchboard: needs a JDK to build from source; %jdk% has no javac>&2
exit /b 1

:build_failed
popd
echo switchboard: the build failed; what Maven says above tells why>&2
exit /b 1
