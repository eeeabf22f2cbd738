// The Helm chart: what it renders fits the API of Kubernetes, and the service's own ports, settings and times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { settingNames } from '../../src/adapters/configuration/config.js';
import {
  chart,
  chartFolder,
  defaultValues,
  mergeValues,
  renderChart,
  renderFile,
  valuesSchema,
  type Manifest,
} from './render-chart.js';

const MODELS = { ConfigMap, Deployment, StatefulSet, PodDisruptionBudget, Service } as const;
const SERVERS = { mode: 'servers', existingSecret: 'shop-secrets' };
const HARD_STOP_SECONDS = 20;
const MORE = {
  extraEnv: [
    { name: 'NODE_OPTIONS', value: '--import=/otel/register.mjs' },
    { name: 'OTEL_NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ],
  envFrom: [{ secretRef: { name: 'more' } }],
  extraVolumes: [{ name: 'otel', configMap: { name: 'otel' } }],
  extraVolumeMounts: [{ name: 'otel', mountPath: '/otel', readOnly: true }],
  compat: { enabled: true, port: 8081 },
};

type Container = {
  readonly name: string;
  readonly image: string;
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: object };
  }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: object;
  readonly readinessProbe?: {
    readonly httpGet: object;
    readonly periodSeconds: number;
    readonly failureThreshold: number;
  };
  readonly livenessProbe: { readonly httpGet: object };
  readonly securityContext: object;
  readonly volumeMounts: readonly object[];
};
type Pod = { readonly terminationGracePeriodSeconds: number; readonly containers: readonly [Container] } & Record<
  string,
  unknown
>;
type Workload = {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: object };
  readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
} & Record<string, unknown>;

const workloadsIn = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
const specOf = (manifest: Manifest | undefined) => manifest?.['spec'] as Workload;
const podOf = (manifest: Manifest | undefined) => specOf(manifest).template.spec;
const named = (manifests: readonly Manifest[], kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name);
const namesOf = (manifests: readonly Manifest[]) =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

describe('Helm chart', () => {
  const checkValues = new Ajv({ strict: false }).compile(valuesSchema);
  const accepts = (over: object) => checkValues(mergeValues(defaultValues, over));

  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect([chart['version'], chart['appVersion']]).to.deep.equal([version, version]);
  });

  it('accepts its own values, and requires the secret with servers', () => {
    expect(accepts({}), JSON.stringify(checkValues.errors)).to.equal(true);
    expect(accepts(SERVERS)).to.equal(true);
    expect(accepts({ mode: 'servers' })).to.equal(false);
  });

  it('rejects values that are misspelt, of another type, or set by the chart itself', () => {
    for (const over of [
      { mode: 'cluster' },
      { servers: { http: { replica: 3 } } },
      { servers: { worker: { replicas: 0 } } },
      { config: { RESPONSE_CACHE_MB: 64 } },
      { config: { ROLES: 'http' } },
      { config: { MASTER_KEY: 'in clear' } },
      { config: { COMPAT_PORT: '3001' } },
      { extraEnv: [{ name: 'A', secret: 'b' }] },
      { extraVolumes: [{ emptyDir: {} }] },
      { embedded: { storage: { size: 'large' } } },
      { surprise: true },
    ]) {
      expect(accepts(over), JSON.stringify(over)).to.equal(false);
    }
  });

  it('has a place in the schema for each of its values', () => {
    const places = (schema: { properties?: object; $ref?: string }): object => {
      const { definitions } = valuesSchema as { definitions: Record<string, object> };
      return (schema.$ref ? definitions[schema.$ref.split('/').at(-1) ?? ''] : schema) ?? {};
    };
    const check = (values: object, schema: object, path: string) => {
      const { properties } = places(schema) as { properties?: Record<string, object> };
      for (const [name, value] of Object.entries(values)) {
        expect(properties, path).to.have.property(name);
        const part = places(properties?.[name] ?? {});
        if (typeof value === 'object' && 'properties' in part) check(value as object, part, `${path}.${name}`);
      }
    };
    check(defaultValues, valuesSchema, 'values');
  });

  for (const [title, over] of [
    ['embedded', {}],
    ['servers', SERVERS],
    [
      'everything set',
      {
        ...SERVERS,
        image: { tag: '9.9.9' },
        imagePullSecrets: [{ name: 'registry' }],
        podDisruptionBudget: { enabled: false },
        grafanaDashboard: { enabled: true },
        podAnnotations: { team: 'billing' },
        nodeSelector: { disk: 'ssd' },
        tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
        affinity: { nodeAffinity: {} },
        service: { type: 'LoadBalancer', annotations: { 'lb/internal': 'true' } },
        ...MORE,
      },
    ],
  ] as const) {
    it(`renders manifests that fit the API of Kubernetes: ${title}`, async () => {
      const manifests = await renderChart(over);
      expect(manifests.length).to.be.above(2);
      for (const manifest of manifests) {
        const Model = MODELS[manifest.kind as keyof typeof MODELS];
        new Model(manifest).validate();
      }
    });
  }

  it('runs one process with one volume when embedded', async () => {
    const manifests = await renderChart({ embedded: { storage: { storageClassName: 'fast' } } });
    expect(namesOf(manifests)).to.deep.equal(['Service shop', 'Service shop-metrics', 'StatefulSet shop']);
    const spec = specOf(workloadsIn(manifests)[0]);
    expect(spec.replicas).to.equal(1);
    expect(spec['volumeClaimTemplates']).to.deep.equal([
      {
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'fast',
          resources: { requests: { storage: '20Gi' } },
        },
      },
    ]);
    expect(spec.template.spec.containers[0].env.map(({ name }) => name)).not.to.include('MASTER_KEY');
  });

  it('runs http, projector and worker with a disruption budget each on servers', async () => {
    const manifests = await renderChart(SERVERS);
    const roles = ['http', 'projector', 'worker'];
    expect(namesOf(manifests)).to.deep.equal([
      ...roles.map((role) => `Deployment shop-${role}`),
      ...roles.map((role) => `PodDisruptionBudget shop-${role}`),
      'Service shop',
      'Service shop-metrics',
    ]);
    for (const role of roles) {
      const { replicas, selector, template } = specOf(named(manifests, 'Deployment', `shop-${role}`));
      expect(replicas).to.equal(2);
      expect(template.metadata.labels).to.include(selector.matchLabels);
      expect(template.spec.containers[0].env).to.deep.include({ name: 'ROLES', value: role });
      const budget = named(manifests, 'PodDisruptionBudget', `shop-${role}`);
      expect(budget?.['spec']).to.deep.equal({ maxUnavailable: 1, selector });
    }
    const withoutBudgets = await renderChart({ ...SERVERS, podDisruptionBudget: { enabled: false } });
    expect(withoutBudgets.filter(({ kind }) => kind === 'PodDisruptionBudget')).to.deep.equal([]);
  });

  it('sends requests to the processes with the role http only', async () => {
    for (const over of [{}, SERVERS]) {
      const manifests = await renderChart(over);
      const { selector, ports } = named(manifests, 'Service', 'shop')?.['spec'] as {
        selector: object;
        ports: object[];
      };
      expect(ports).to.deep.equal([{ name: 'http', port: 80, targetPort: 'http' }]);
      const reached = workloadsIn(manifests).filter((one) => {
        const labels = specOf(one).template.metadata.labels as Record<string, string>;
        return Object.entries(selector).every(([name, value]) => labels[name] === value);
      });
      expect(reached).to.have.length(1);
      const [container] = podOf(reached[0]).containers;
      expect(container.ports).to.deep.include({ name: 'http', containerPort: 3000 });
      expect(container.readinessProbe?.httpGet).to.deep.equal({ path: '/readyz', port: 'http' });
    }
  });

  it('gives every process a liveness probe that it answers, and time to drain', async () => {
    for (const over of [{}, SERVERS]) {
      for (const workload of workloadsIn(await renderChart(over))) {
        const pod = podOf(workload);
        const [container] = pod.containers;
        const env = new Map(container.env.map(({ name, value }) => [name, value]));
        expect(container.livenessProbe.httpGet).to.deep.equal({ path: '/livez', port: 'metrics' });
        expect(container.ports.find(({ name }) => name === 'metrics')?.containerPort).to.equal(
          Number(env.get('METRICS_PORT')),
        );
        expect(pod.terminationGracePeriodSeconds).to.be.above(Number(env.get('DRAIN_SECONDS')) + HARD_STOP_SECONDS);
        const { periodSeconds, failureThreshold } = container.readinessProbe ?? {
          periodSeconds: 1,
          failureThreshold: 1,
        };
        expect(periodSeconds * failureThreshold).to.be.below(Number(env.get('DRAIN_SECONDS')));
      }
    }
  });

  it('runs without privileges, on a file system that it cannot write to', async () => {
    for (const workload of workloadsIn(await renderChart(SERVERS))) {
      const pod = podOf(workload);
      expect(pod['automountServiceAccountToken']).to.equal(false);
      expect(pod['securityContext']).to.include({ runAsNonRoot: true, runAsUser: 1000 });
      expect(pod.containers[0].securityContext).to.deep.include({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('reads secrets from the existing secret, and settings as they are', async () => {
    const config = { PUBLIC_URL: 'https://a.example.com/"x"', TRUST_PROXY: '1' };
    const [workload] = workloadsIn(await renderChart({ ...SERVERS, config }));
    const { env } = podOf(workload).containers[0];
    for (const [name, value] of Object.entries(config)) expect(env).to.deep.include({ name, value });
    const secrets = env.flatMap(({ name, valueFrom }) => (valueFrom ? [[name, valueFrom.secretKeyRef]] : []));
    expect(secrets).to.deep.equal(
      ['MASTER_KEY', 'JWT_SECRET', 'EVENTSTORE_URL', 'MONGODB_URL'].map((key) => [key, { name: 'shop-secrets', key }]),
    );
    for (const { name } of env) expect(settingNames).to.include(name);
  });

  it('uses every value', async () => {
    const over = {
      ...SERVERS,
      image: { repository: 'registry.example.com/subledger', tag: '1.2.3', pullPolicy: 'Always' },
      servers: { worker: { replicas: 3, resources: { limits: { memory: '1Gi' } } } },
      nodeSelector: { disk: 'ssd' },
    };
    const manifests = await renderChart(over);
    const worker = named(manifests, 'Deployment', 'shop-worker');
    expect(specOf(worker).replicas).to.equal(3);
    expect(podOf(worker)['nodeSelector']).to.deep.equal({ disk: 'ssd' });
    const [container] = podOf(worker).containers;
    expect(container.image).to.equal('registry.example.com/subledger:1.2.3');
    expect(container.resources).to.deep.nested.include({ 'limits.memory': '1Gi' });
    const [embedded] = workloadsIn(await renderChart({}));
    expect(podOf(embedded).containers[0].image).to.equal(`subledger:${String(chart['appVersion'])}`);
  });

  it('adds variables and volumes to every process', async () => {
    for (const over of [MORE, { ...SERVERS, ...MORE }]) {
      for (const workload of workloadsIn(await renderChart(over))) {
        const pod = podOf(workload);
        const [container] = pod.containers;
        expect(container.env).to.deep.include.members(MORE.extraEnv);
        expect(container).to.deep.include({ envFrom: MORE.envFrom });
        expect(container.volumeMounts).to.deep.include(MORE.extraVolumeMounts[0]);
        expect(pod['volumes']).to.deep.include(MORE.extraVolumes[0]);
        expect(pod['volumes']).to.deep.include({ name: 'tmp', emptyDir: {} });
      }
    }
  });

  it('has a port for the compatibility API, if it is enabled', async () => {
    for (const over of [{}, SERVERS]) {
      const manifests = await renderChart({ ...over, compat: MORE.compat });
      const { ports } = named(manifests, 'Service', 'shop')?.['spec'] as { ports: object[] };
      expect(ports).to.deep.include({ name: 'compat', port: 8081, targetPort: 'compat' });
      for (const workload of workloadsIn(manifests)) {
        const [container] = podOf(workload).containers;
        const isHttp = container.ports.some(({ name }) => name === 'http');
        const own = container.ports.filter(({ name }) => name === 'compat');
        expect(own).to.deep.equal(isHttp ? [{ name: 'compat', containerPort: 3001 }] : []);
        const set = container.env.filter(({ name }) => name === 'COMPAT_PORT');
        expect(set).to.deep.equal(isHttp ? [{ name: 'COMPAT_PORT', value: '3001' }] : []);
      }
    }
  });

  it('monitors the metrics of every process', async () => {
    const manifests = await renderChart({
      ...SERVERS,
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    });
    const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor');
    expect(monitor?.metadata.labels).to.include({ release: 'prometheus' });
    const { selector, endpoints } = monitor?.['spec'] as {
      selector: { matchLabels: object };
      endpoints: readonly { readonly port: string; readonly path: string }[];
    };
    const service = named(manifests, 'Service', 'shop-metrics');
    expect(service?.metadata.labels).to.deep.equal(selector.matchLabels);
    expect(endpoints[0]).to.include({ port: 'metrics', path: '/metrics' });
    const selected = (service?.['spec'] as { selector: object }).selector;
    for (const workload of workloadsIn(manifests))
      expect(specOf(workload).template.metadata.labels).to.include(selected);
  });

  it('brings the dashboard to the sidecar of Grafana, if it is enabled', async () => {
    const manifests = await renderChart({ grafanaDashboard: { enabled: true, labels: { team: 'billing' } } });
    const map = named(manifests, 'ConfigMap', 'shop-dashboard');
    expect(map?.metadata).to.have.nested.include({ 'labels.grafana_dashboard': '1', 'labels.team': 'billing' });
    const file = join(chartFolder, 'dashboards/subledger.json');
    expect(map?.['data']).to.deep.equal({ 'subledger.json': readFileSync(file, 'utf8') });
  });

  it('prints after the installation how to reach it', async () => {
    expect(await renderFile('NOTES.txt', SERVERS)).to.include('rollout status deployment/shop-http');
    expect(await renderFile('NOTES.txt', {})).to.include('port-forward service/shop 3000:80');
  });
});
