{{- /* Parts that all pods share. Only built-in functions of Go's templates and toJson are used, so that tests can render the chart. */ -}}
{{- define "subledger.labels" -}}
app.kubernetes.io/name: subledger, app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "subledger.image" -}}
{{ .Values.image.repository }}:{{ if .Values.image.tag }}{{ .Values.image.tag }}{{ else }}{{ .Chart.AppVersion }}{{ end }}
{{- end -}}

{{- define "subledger.scheduling" }}
      automountServiceAccountToken: false
      # Otherwise a service called compat would set COMPAT_PORT.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      imagePullSecrets: {{ toJson .Values.imagePullSecrets }}
      nodeSelector: {{ toJson .Values.nodeSelector }}
      tolerations: {{ toJson .Values.tolerations }}
      affinity: {{ toJson .Values.affinity }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "subledger.container" }}
          image: {{ template "subledger.image" . }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          # A process without the role http has this listener too. It answers while a server is away: a restart would not help.
          startupProbe:
            httpGet: { path: /livez, port: metrics }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /livez, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
{{- end -}}

{{- define "subledger.readiness" }}
          # Checked often, so that load balancers notice within drainSeconds after SIGTERM.
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
{{- end -}}

{{- define "subledger.httpEnv" }}
            {{- if .Values.compat.enabled }}
            - { name: COMPAT_PORT, value: '3001' }
            {{- end }}
{{- end -}}

{{- define "subledger.httpPorts" }}
            - { name: http, containerPort: 3000 }
            {{- if .Values.compat.enabled }}
            - { name: compat, containerPort: 3001 }
            {{- end }}
{{- end -}}

{{- define "subledger.mounts" }}
            - { name: tmp, mountPath: /tmp }
            - { name: data, mountPath: /data }
            {{- range .Values.extraVolumeMounts }}
            - {{ toJson . }}
            {{- end }}
{{- end -}}

{{- define "subledger.volumes" }}
        - { name: tmp, emptyDir: {} }
        {{- range .Values.extraVolumes }}
        - {{ toJson . }}
        {{- end }}
{{- end -}}

{{- define "subledger.env" }}
            - { name: HOST, value: 0.0.0.0 }
            - { name: PORT, value: '3000' }
            - { name: METRICS_PORT, value: '9464' }
            - { name: DATA_DIR, value: /data }
            - { name: DRAIN_SECONDS, value: '{{ .Values.drainSeconds }}' }
            {{- range $name, $value := .Values.config }}
            - { name: {{ $name }}, value: {{ printf "%q" $value }} }
            {{- end }}
            {{- range .Values.extraEnv }}
            - {{ toJson . }}
            {{- end }}
            {{- if .Values.existingSecret }}
            - { name: MASTER_KEY, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: MASTER_KEY } } }
            - { name: JWT_SECRET, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: JWT_SECRET } } }
            {{- end }}
            {{- if eq .Values.mode "servers" }}
            - { name: EVENTSTORE_URL, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: EVENTSTORE_URL } } }
            - { name: MONGODB_URL, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: MONGODB_URL } } }
            {{- end }}
{{- end -}}
