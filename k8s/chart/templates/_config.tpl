{{/* switchboard.yaml: what the values say, and over it their config. */}}
{{- define "switchboard.config" -}}
{{- $server := dict "host" "0.0.0.0" "port" 8080 "drain" (dict "delay" "5s") -}}
{{- $config := dict "server" $server
    "management" (dict "host" "0.0.0.0" "port" 9090)
    "auth" (dict "mode" "keys" "teamsFile" "teams.yaml")
    "embedders" (dict "default" (dict "provider" "onnx")) -}}
{{- if .Values.ingress.enabled -}}
{{- $_ := set $server "publicUrl" (printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecret "")) .Values.ingress.host) -}}
{{- end -}}
{{- if .Values.cluster.secret -}}
{{- $_ := set $server "stateKey" "${file:/run/secrets/switchboard/state-key}" -}}
{{- $_ := set $config "cluster" (dict "database" "${file:/run/secrets/switchboard/database}") -}}
{{- end -}}
{{- if include "switchboard.shared" . -}}
{{- $_ := set $server "drain" (dict "delay" "10s" "grace" "30s") -}}
{{- $_ := set $config "audit" (dict "to" "stdout") -}}
{{- $_ := set $config "tasks" (dict "max" 0) -}}
{{- end -}}
{{- $config = mergeOverwrite $config (deepCopy .Values.config) -}}
{{- if and (not (include "switchboard.shared" .)) (not $config.backends) -}}
{{- $_ := set $config "backends" (dict
    "vectordb" (dict "type" "vectordb" "dataDir" "data/vectordb")
    "agentroot" (dict "type" "agentroot" "dataDir" "data/agentroot")) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{/* Not empty if the replicas share a database, by cluster.secret or by config.cluster. */}}
{{- define "switchboard.shared" -}}
{{- if or .Values.cluster.secret .Values.config.cluster -}}true{{- end -}}
{{- end -}}

{{/*
The paths of secrets that are written in config, where they would be in a ConfigMap: a line each. The gateway takes them from
files only.
*/}}
{{- define "switchboard.plain" -}}
{{- $parent := . -}}
{{- $named := list "apiKey" "clientSecret" "direct" "password" "stateKey" "subjectToken" "token" -}}
{{- range $key, $value := .node -}}
{{- $path := printf "%s.%s" $parent.path $key -}}
{{- if kindIs "map" $value -}}
{{- $chosen := has $parent.path (list "config.backends" "config.embedders" "config.views") -}}
{{- $all := and (has $key (list "headers" "secrets")) (not $chosen) -}}
{{- include "switchboard.plain" (dict "path" $path "node" $value "all" $all) -}}
{{- else if not (or (kindIs "slice" $value) (kindIs "invalid" $value)) -}}
{{- $secret := or $parent.all (has $key $named) (eq $path "config.cluster.database") -}}
{{- $secret = or $secret (regexMatch "^(postgres(ql)?://|[a-z+]+://[^/@]*@)" (toString $value)) -}}
{{- if and $secret (not (regexMatch "^\\$\\{file:[^}]+\\}$" (toString $value))) -}}
{{- printf "%s\n" $path -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Not empty if there may be more than one pod. */}}
{{- define "switchboard.several" -}}
{{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled -}}true{{- end -}}
{{- end -}}

{{/* The milliseconds of a duration as the gateway writes it: 250ms, 60s, 5m, 1h. */}}
{{- define "switchboard.milliseconds" -}}
{{- $number := int64 (regexFind "^[0-9]+" .) -}}
{{- $unit := regexFind "[a-z]+$" . -}}
{{- mul $number (get (dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000) $unit | default 0) -}}
{{- end -}}
