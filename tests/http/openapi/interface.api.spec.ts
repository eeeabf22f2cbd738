// One table: what is served, what the table lists and what the interface requires are the same, both ways.
import { expect } from 'chai';
import { createApp } from '../../../src/http/app.js';
import { routes } from '../../../src/http/routes.js';
import type { Services } from '../../../src/http/dispatch/services.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { endpoints, extensions, operational, toCome } from './interface.js';
import { nameOf } from '../support/route-samples.js';

type Layer = { readonly route?: { readonly path: string; readonly methods: Record<string, boolean> } };

/** The paths that the application serves besides the routes of the table. */
function pages(): readonly string[] {
  const log = { child: () => log };
  const services = { runtime: systemRuntime(), log } as unknown as Services;
  const health = { hasCaughtUp: true, isDraining: false };
  const app = createApp(services, health, {
    trustProxy: 0,
    corsOrigins: [],
    docs: { openApi: () => Buffer.alloc(0), viewer: () => Buffer.alloc(0) },
    dashboard: null,
  });
  const { stack } = app.router as unknown as { readonly stack: readonly Layer[] };
  const served = stack.flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`) : [],
  );
  const table = new Set(routes.map(nameOf));
  return served.filter((name) => !table.has(name));
}

describe('the interface', () => {
  const table = routes.map(nameOf);

  it('has 78 endpoints and its extensions, each named once', () => {
    expect(endpoints).to.have.length(78);
    expect(new Set([...endpoints, ...extensions]).size).to.equal(endpoints.length + extensions.length);
  });

  it('is all that the table holds', () => expect([...endpoints, ...extensions]).to.include.members(table));

  it('is in the table, but for what is to come', () =>
    expect([...endpoints, ...extensions].filter((e) => !toCome.has(e) && !table.includes(e))).to.deep.equal([]));

  it('has no other paths but health and documentation', () => expect(pages()).to.have.members(operational));
});
