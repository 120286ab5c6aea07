{{/* The template of the pods. */}}
{{- define "switchboard.pod" -}}
{{- $config := include "switchboard.config" . | fromYaml -}}
{{- $shared := include "switchboard.shared" . -}}
metadata:
  labels:
    {{- include "switchboard.labels" . | nindent 4 }}
  annotations:
    # Another configuration replaces the pods.
    checksum/config: {{ include "switchboard.config" . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "switchboard.name" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . | quote }}
    {{- end }}
  {{- end }}
  # Drains calls and streams, finishes writes, closes the store.
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    # Not each file of a large volume at each start.
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- if $shared }}
  topologySpreadConstraints:
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "switchboard.selector" $ | nindent 10 }}
    {{- end }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: switchboard
      image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
      {{- with .Values.image.pullPolicy }}
      imagePullPolicy: {{ . }}
      {{- end }}
      args: [serve, --config, /etc/switchboard/switchboard.yaml, --data, /data]
      {{- with .Values.env }}
      env:
        {{- range $name, $value := . }}
        - {name: {{ $name | quote }}, value: {{ $value | quote }}}
        {{- end }}
      {{- end }}
      ports:
        - name: mcp
          containerPort: {{ int $config.server.port }}
        - name: management
          containerPort: {{ int $config.management.port }}
      startupProbe:
        httpGet: {path: /health/live, port: management}
        # A gateway that answers late is busy, not gone: it has five minutes to start, and later one until it is restarted.
        timeoutSeconds: 5
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: {path: /health/live, port: management}
        timeoutSeconds: 5
        periodSeconds: 10
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /health/ready, port: management}
        timeoutSeconds: 5
        periodSeconds: 5
        failureThreshold: 3
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        {{- if or .Values.cluster.secret .Values.engines.secret }}
        - {name: secrets, mountPath: /run/secrets/switchboard, readOnly: true}
        {{- end }}
        - {name: config, mountPath: /etc/switchboard, readOnly: true}
        # The embedding model's native library is unpacked here.
        - {name: tmp, mountPath: /tmp}
        - {name: data, mountPath: /data}
  volumes:
    {{- if or .Values.cluster.secret .Values.engines.secret }}
    - name: secrets
      projected:
        defaultMode: 288 # 0440
        sources:
          {{- range compact (list .Values.cluster.secret .Values.engines.secret) }}
          - secret: {name: {{ . | quote }}}
          {{- end }}
    {{- end }}
    - name: config
      projected:
        sources:
          - configMap: {name: {{ include "switchboard.name" . }}-config}
          # teams.yaml: hashes of keys and grants; changes are taken up without a restart.
          - secret: {name: {{ .Values.teams.secret | quote }}}
    - name: tmp
      emptyDir: {sizeLimit: 512Mi}
    {{- if not $shared }}
    - name: data
      persistentVolumeClaim: {claimName: {{ include "switchboard.name" . }}-data}
    {{- end }}
{{- end -}}

{{/* What is asked for on a volume. */}}
{{- define "switchboard.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .Values.storage.className }}
storageClassName: {{ . | quote }}
{{- end }}
resources:
  requests: {storage: {{ .Values.storage.size | quote }}}
{{- end -}}
