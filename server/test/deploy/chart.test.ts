// The chart in deploy/helm: what it creates, that a rolling update drops no request, and that it names only variables and commands that exist.
// Long because every value of the chart is tried.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { alertsFile } from '../../generate/alerts.ts'
import { bounds, readConfig, variables } from '../../platform/process/config.ts'
import { hasProgram } from '../harness/postgres-programs.ts'
import { root } from '../structure/architecture.ts'
import { renderAll, TemplateError } from './templates.ts'

const folder = join(root, 'deploy', 'helm', 'kontor')
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
const chart = parse(read('Chart.yaml'))
const values = parse(read('values.yaml'))
const templates = new Map(readdirSync(join(folder, 'templates')).map((name) => [name, read(join('templates', name))]))
const attached = new Map(readdirSync(join(folder, 'files')).map((name) => [`files/${name}`, read(join('files', name))]))
const schema = z.fromJSONSchema(JSON.parse(read('values.schema.json')))

const origin = 'https://kontor.example'
const plain = { ...values, publicOrigin: origin }
const everything = {
  ...plain,
  image: { ...values.image, tag: '9.9.9' },
  imagePullSecrets: [{ name: 'registry' }],
  env: { SIGN_UP: 'closed', WORKERS: '2' },
  ingress: { ...values.ingress, enabled: true, className: 'nginx', annotations: { a: 'b' } },
  networkPolicy: {
    ...values.networkPolicy,
    httpFrom: [{ namespaceSelector: { matchLabels: { a: 'b' } } }],
    metricsFrom: [{ podSelector: {} }],
    databaseTo: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
  },
  serviceMonitor: { ...values.serviceMonitor, enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  audit: { ...values.audit, pushgateway: 'http://pushgateway:9091' },
}

// biome-ignore lint/suspicious/noExplicitAny: Kubernetes objects of every kind
type Manifest = any

/** Without those that a condition left empty. */
const documentsOf = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => {
      assert.deepEqual(document.errors, [], text)
      return document.toJS()
    })
    .filter((content) => content !== null)

const byName = (manifests: readonly Manifest[]): Map<string, Manifest> =>
  new Map(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one]))

function rendered(given: object): Map<string, Manifest> {
  const release = { Name: 'shop', Namespace: 'default', Service: 'Helm' }
  const context = {
    Values: given,
    Release: release,
    Files: attached,
    Chart: { ...chart, Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  }
  return byName([...renderAll(templates, context).values()].flatMap(documentsOf))
}

const podOf = (manifest: Manifest): Manifest => manifest.spec.jobTemplate?.spec.template ?? manifest.spec.template
const workloads = ['Deployment shop', 'Job shop-migrate', 'CronJob shop-maintain', 'CronJob shop-audit']

test('the chart has the version of the repository', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
})

test('values are checked: the defaults are valid, and what is misspelt or out of range is refused', () => {
  for (const given of [values, plain, everything]) assert.ok(schema.safeParse(given).success)
  for (const wrong of [
    { replica: 3 },
    { replicas: 0 },
    { stopDelaySeconds: 61 },
    { publicOrigin: 'kontor.example' },
    { env: { WORKERS: 2 } },
  ]) {
    assert.ok(!schema.safeParse({ ...plain, ...wrong }).success, JSON.stringify(wrong))
  }
})

test('every value is used by a template, and described in the schema', () => {
  const used = [...templates.values()].join('\n')
  const { properties } = JSON.parse(read('values.schema.json'))
  for (const [name, value] of Object.entries<object>(values)) {
    assert.ok(name in properties, name)
    const inside = properties[name].properties === undefined ? [] : Object.keys(value)
    for (const path of inside.length === 0 ? [name] : inside.map((one) => `${name}.${one}`)) {
      assert.ok(used.includes(`.Values.${path}`), `.Values.${path}`)
    }
  }
})

test('the address that browsers use must be given', () => {
  assert.throws(() => rendered(values), TemplateError)
})

test('optional parts are created only when they are wanted', () => {
  const always = [...workloads, 'Service shop', 'PodDisruptionBudget shop', 'NetworkPolicy shop']
  assert.deepEqual(new Set(rendered(plain).keys()), new Set(always))
  const wanted = ['Ingress shop', 'ServiceMonitor shop', 'PrometheusRule shop']
  assert.deepEqual(new Set(rendered(everything).keys()), new Set([...always, ...wanted]))
  const closed = { ...plain, networkPolicy: { ...plain.networkPolicy, enabled: false } }
  assert.ok(!rendered(closed).has('NetworkPolicy shop'))
})

test('a rolling update drops no request: a pod stops after another is ready, and has the time it needs', () => {
  for (const stopDelaySeconds of [1, values.stopDelaySeconds, 60]) {
    const { spec } = rendered({ ...plain, stopDelaySeconds }).get('Deployment shop')
    assert.deepEqual(spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 })
    const [container] = spec.template.spec.containers
    const delayMs = Number(container.env.find((one: { name: string }) => one.name === 'STOP_DELAY_MS').value)
    assert.equal(delayMs, stopDelaySeconds * 1000)
    assert.ok(spec.template.spec.terminationGracePeriodSeconds * 1000 > delayMs + bounds.stopMs)
    assert.deepEqual(container.readinessProbe.httpGet, { path: '/readyz', port: 'http' })
    assert.deepEqual(container.livenessProbe.httpGet, { path: '/healthz', port: 'http' })
  }
})

test('every pod runs without root and privileges on a read-only file system, with variables and commands that exist', () => {
  const manifests = rendered(everything)
  const known = variables.flatMap(({ name, fileName }) => [name, fileName])
  const commands = workloads.map((name) => {
    const { spec } = podOf(manifests.get(name))
    assert.deepEqual([spec.securityContext.runAsNonRoot, spec.automountServiceAccountToken], [true, false], name)
    const [container] = spec.containers
    const { securityContext: security, env, image, args, volumeMounts } = container
    assert.deepEqual([security.readOnlyRootFilesystem, security.allowPrivilegeEscalation], [true, false], name)
    assert.deepEqual(security.capabilities.drop, ['ALL'], name)
    assert.equal(image, 'kontor:9.9.9')
    for (const { name: variable } of env) assert.ok(known.includes(variable), `${name}: ${variable}`)
    const file = env.find((one: { name: string }) => one.name === 'DATABASE_URL_FILE').value
    assert.equal(file, `${volumeMounts[0].mountPath}/${spec.volumes[0].secret.items[0].path}`)
    const settings = env.filter((one: { name: string }) => one.name !== 'DATABASE_URL_FILE')
    const given = settings.map((one: { name: string; value: string }) => [one.name, one.value])
    readConfig({ ...Object.fromEntries(given), DATABASE_URL: 'postgres://127.0.0.1/kontor' })
    return [args.join(' '), spec.volumes[0].secret.secretName]
  })
  assert.deepEqual(commands, [
    ['serve --no-migrate', 'kontor-web'],
    ['migrate', 'kontor-owner'],
    ['maintain', 'kontor-owner'],
    ['audit --json --metrics http://pushgateway:9091/metrics/job/kontor_audit/instance/shop', 'kontor-owner'],
  ])
  const { annotations } = manifests.get('Job shop-migrate').metadata
  assert.equal(annotations['helm.sh/hook'], 'pre-install,pre-upgrade')
})

test('what selects pods selects those of the service, and the policy selects the jobs too', () => {
  const manifests = rendered(everything)
  const labelsOf = (name: string): object => podOf(manifests.get(name)).metadata.labels
  const selects = (selector: object, labels: object): boolean =>
    Object.entries(selector).every(([name, value]) => (labels as Record<string, unknown>)[name] === value)
  const service = manifests.get('Service shop')
  for (const selector of [
    manifests.get('Deployment shop').spec.selector.matchLabels,
    service.spec.selector,
    manifests.get('PodDisruptionBudget shop').spec.selector.matchLabels,
  ]) {
    assert.deepEqual(
      workloads.map((name) => selects(selector, labelsOf(name))),
      [true, false, false, false],
    )
  }
  const policy = manifests.get('NetworkPolicy shop').spec
  assert.ok(workloads.every((name) => selects(policy.podSelector.matchLabels, labelsOf(name))))
  assert.deepEqual(
    policy.ingress.map((rule: Manifest) => rule.from.length),
    [1, 1],
  )
  const monitor = manifests.get('ServiceMonitor shop').spec
  assert.ok(selects(monitor.selector.matchLabels, service.metadata.labels))
  assert.ok(service.spec.ports.some(({ name }: { name: string }) => name === monitor.endpoints[0].port))
})

test('every setting reaches every process', () => {
  const env = Object.fromEntries(variables.map(({ name }) => [name, 'x']))
  const manifests = rendered({ ...plain, env })
  for (const name of workloads) {
    const [container] = podOf(manifests.get(name)).spec.containers
    const passed = container.env.map((one: { name: string }) => one.name)
    assert.deepEqual(
      Object.keys(env).filter((setting) => !passed.includes(setting)),
      [],
      name,
    )
  }
  // Those that the chart has values for, too.
  const [service, ...jobs] = workloads.map((name) => podOf(rendered(everything).get(name)).spec.containers[0].env)
  for (const job of jobs) assert.deepEqual(job, service)
})

test('the network policy lets mails reach the SMTP server, traces their collector and metrics of the audit the Pushgateway', () => {
  const portsOf = (given: object): number[] =>
    rendered(given)
      .get('NetworkPolicy shop')
      .spec.egress.flatMap((rule: Manifest) => rule.ports.map((one: Manifest) => one.port))
  assert.deepEqual(portsOf(plain), [53, 53, 5432, 443, 8443])
  assert.deepEqual(
    portsOf({ ...everything, env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318' } }),
    [53, 53, 5432, 443, 8443, 4318, 9091],
  )
  assert.deepEqual(
    portsOf({ ...plain, smtp: { secretName: 'mail', key: 'url', port: 465 } }),
    [53, 53, 5432, 443, 8443, 465],
  )
})

test('the address of the SMTP server comes from a Secret, for the service and the jobs', () => {
  const smtpOf = (given: object): Manifest[] =>
    workloads.map((name) =>
      podOf(rendered(given).get(name)).spec.containers[0].env.find((one: { name: string }) => one.name === 'SMTP_URL'),
    )
  const valueFrom = { secretKeyRef: { name: 'mail', key: 'address' } }
  assert.deepEqual(
    smtpOf({ ...plain, smtp: { secretName: 'mail', key: 'address', port: 587 } }),
    workloads.map(() => ({ name: 'SMTP_URL', valueFrom })),
  )
  assert.deepEqual(
    smtpOf(plain),
    workloads.map(() => undefined),
  )
})

test('the key for secrets in the database comes from a Secret, for the service and the jobs', () => {
  const valueFrom = { secretKeyRef: { name: 'kontor-key', key: 'key' } }
  const manifests = rendered({ ...plain, secretsKey: { secretName: 'kontor-key', key: 'key' } })
  for (const name of workloads) {
    const { env } = podOf(manifests.get(name)).spec.containers[0]
    const found = env.find((one: { name: string }) => one.name === 'SECRETS_KEY')
    assert.deepEqual(found, { name: 'SECRETS_KEY', valueFrom }, name)
  }
})

test('the PrometheusRule has the alerts as they are, and the job of Prometheus is called kontor', () => {
  const manifests = rendered(everything)
  assert.deepEqual(manifests.get('PrometheusRule shop').spec, parse(alertsFile()))
  const label = manifests.get('ServiceMonitor shop').spec.jobLabel
  assert.equal(manifests.get('Service shop').metadata.labels[label], 'kontor')
})

test('helm renders the same', { skip: hasProgram('helm') ? false : 'helm is not installed' }, () => {
  for (const given of [plain, everything]) {
    const options = { input: JSON.stringify(given), encoding: 'utf8' } as const
    const text = execFileSync('helm', ['template', 'shop', folder, '--values', '-'], options)
    assert.deepEqual(byName(documentsOf(text)), rendered(given))
  }
})
