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
{{- $_ := set $server "drain" (dict "delay" "10s" "grace" "30s") -}}
{{- $_ := set $config "cluster" (dict "database" "${file:/run/secrets/switchboard/database}") -}}
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
