{{- define "kontor.labels" -}}
app.kubernetes.io/name: kontor
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "kontor.selector" -}}
app.kubernetes.io/name: kontor
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kontor.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "kontor.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: database
    mountPath: /run/secrets/kontor
    readOnly: true
{{- end -}}

{{- define "kontor.job" -}}
template:
  metadata:
    labels:
      {{- include "kontor.selector" . | nindent 6 }}
      app.kubernetes.io/component: job
  spec:
    {{- include "kontor.pod" . | nindent 4 }}
    restartPolicy: Never
    volumes:
      - name: database
        secret:
          secretName: {{ .Values.database.owner.secretName }}
          items:
            - key: {{ .Values.database.owner.key }}
              path: url
{{- end -}}

{{- define "kontor.env" -}}
env:
  - name: DATABASE_URL_FILE
    value: /run/secrets/kontor/url
  - name: PUBLIC_ORIGIN
    value: {{ required "publicOrigin is not set: the address that browsers use, such as https://kontor.example" .Values.publicOrigin | quote }}
  - name: TRUSTED_PROXIES
    value: {{ .Values.trustedProxies | quote }}
  # A pod is told to stop before all load balancers know: it goes on accepting requests meanwhile.
  - name: STOP_DELAY_MS
    value: {{ printf "%v000" .Values.stopDelaySeconds | quote }}
  {{- if .Values.smtp.secretName }}
  - name: SMTP_URL
    valueFrom:
      secretKeyRef:
        name: {{ .Values.smtp.secretName }}
        key: {{ .Values.smtp.key }}
  {{- end }}
  {{- if .Values.secretsKey.secretName }}
  - name: SECRETS_KEY
    valueFrom:
      secretKeyRef:
        name: {{ .Values.secretsKey.secretName }}
        key: {{ .Values.secretsKey.key }}
  {{- end }}
  {{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end -}}
