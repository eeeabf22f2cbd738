// docker-compose.yml: what its services need from the service, and from each other.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { readConfig, settingNames } from '../../src/adapters/configuration/config.js';

type ComposeService = {
  readonly image?: string;
  readonly restart: string;
  readonly environment: Readonly<Record<string, string | number>>;
  readonly stop_grace_period: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy: { readonly resources: { readonly limits: Readonly<Record<string, string>> } };
};
type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: object;
  readonly secrets: object;
};

const HARD_STOP_SECONDS = 20;
const text = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const { services, volumes, secrets } = parse(text, { merge: true }) as Compose;
const own = Object.values(services).filter(({ image }) => image === undefined);
const servers = Object.entries(services).filter(([, { image }]) => image !== undefined);

describe('docker-compose.yml', () => {
  it('limits memory and cores of every service, and restarts it', () => {
    for (const [name, { deploy, restart }] of Object.entries(services)) {
      expect(Object.keys(deploy.resources.limits), name).to.have.members(['cpus', 'memory']);
      expect(restart, name).to.equal('unless-stopped');
    }
  });

  it('gives the service more time to stop than it takes', () => {
    for (const { stop_grace_period: grace } of own)
      expect(Number.parseInt(grace)).to.be.above(readConfig({}).DRAIN_SECONDS + HARD_STOP_SECONDS);
  });

  it('runs servers of one series, with their data in volumes, and waits until they are healthy', () => {
    expect(servers.map(([name]) => name)).to.deep.equal(['kurrentdb', 'mongodb']);
    for (const [name, { image, healthcheck, volumes: mounted = [] }] of servers) {
      expect(image, name).to.match(/:\d+\.\d+(\.\d+)?\}$/);
      expect(healthcheck?.test, name).to.have.length.above(1);
      expect(mounted, name).to.have.length(2);
      for (const volume of mounted) expect(volumes).to.have.property(volume.split(':')[0] ?? '');
      for (const { depends_on: needed } of own.filter(({ secrets: used }) => used !== undefined))
        expect(needed?.[name]).to.deep.equal({ condition: 'service_healthy' });
    }
  });

  it('sets settings that exist, with the URLs of its own servers', () => {
    for (const { environment } of own) {
      for (const name of Object.keys(environment)) expect(settingNames).to.include(name.replace(/_FILE$/, ''));
      const { EVENTSTORE_URL: log, MONGODB_URL: documents } = environment;
      if (log !== undefined)
        expect([log, documents].map((url) => new URL(String(url)).hostname)).to.deep.equal(['kurrentdb', 'mongodb']);
    }
  });

  it('passes on what the operator sets for the service, and publishes the port of the compatibility API', () => {
    const passed = ['PUBLIC_URL', 'REGISTRATION', 'TRUST_PROXY', 'MCP', 'MCP_HOST_NAMES', 'COMPAT_HOST_NAME'];
    for (const { environment } of own) {
      for (const name of passed) expect(environment[name], name).to.match(new RegExp(`^\\$\\{${name}:-`));
    }
    const embedded = services['subledger'];
    expect(embedded?.environment['COMPAT_PORT']).to.equal('${COMPAT_PORT:-}');
    expect(embedded?.ports).to.include('127.0.0.1:${COMPAT_PORT:-3002}:${COMPAT_PORT:-3002}');
    const unset = Object.entries(embedded?.environment ?? {}).map(([name, value]) => [
      name,
      String(value).replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]);
    expect(readConfig(Object.fromEntries(unset) as Record<string, string>)).to.include({
      MCP: false,
      TRUST_PROXY: '0',
    });
  });

  it('declares the secrets that it uses', () => {
    for (const { secrets: used = [] } of own) for (const name of used) expect(secrets).to.have.property(name);
  });
});
