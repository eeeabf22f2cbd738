// The Grafana dashboard: every expression is over metrics that the service exposes, and every metric is shown or named as omitted. That the
// file is up to date is checked with the generated pages.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { omittedMetrics } from '../../scripts/docs/dashboard-panels.js';
import { exposedMetrics } from '../../scripts/docs/grafana-dashboard.js';
import { gauges } from '../../src/adapters/metrics/port.js';

type Target = {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: object;
};
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly Target[];
};
type Dashboard = {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
};

const FILE = new URL('../../deploy/helm/subledger/dashboards/subledger.json', import.meta.url);
/** Words of PromQL and of variables. */
const WORDS = /^(sum|max|min|by|rate|topk|histogram_quantile|le|or|vector|__rate_interval)$/;

/** Names in an expression, without the labels. */
function metricsIn(expr: string): readonly string[] {
  const withoutLabels = expr.replaceAll(/\{[^}]*\}/g, '').replaceAll(/by \([^)]*\)/g, '');
  return [...withoutLabels.matchAll(/[a-z_][a-z0-9_]*/gi)].map(([name]) => name).filter((name) => !WORDS.test(name));
}

describe('the Grafana dashboard', () => {
  const dashboard = JSON.parse(readFileSync(FILE, 'utf8')) as Dashboard;
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  const targets = panels.flatMap((panel) => panel.targets ?? []);
  let exposed: ReadonlyMap<string, string>;
  before(async () => (exposed = await exposedMetrics()));
  const family = (name: string) => (exposed.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''));

  it('has expressions over exposed metrics only', () => {
    expect(targets).to.have.length.above(20);
    for (const { expr } of targets) {
      const names = metricsIn(expr);
      expect(names, expr).not.to.deep.equal([]);
      for (const name of names) expect(exposed.has(family(name)), `${name} in ${expr}`).to.equal(true);
    }
  });

  it('shows every metric, or names it as omitted', () => {
    const shown = new Set(targets.flatMap(({ expr }) => metricsIn(expr)).map(family));
    const missing = [...exposed.keys()].filter((name) => !shown.has(name) && !omittedMetrics.has(name));
    expect(missing).to.deep.equal([]);
    expect([...omittedMetrics].filter((name) => shown.has(name))).to.deep.equal([]);
  });

  it("groups the service's own metrics by labels that they have", () => {
    const labels: Record<string, readonly string[]> = {
      ...Object.fromEntries(Object.entries(gauges).map(([name, gauge]) => [name, gauge.labels])),
      http_request_seconds: ['route', 'method', 'status', 'le'],
      store_notifications_total: ['store', 'outcome', 'reason'],
      es_append_seconds: ['outcome', 'le'],
      webhook_attempts_total: ['outcome'],
    };
    for (const { expr } of targets) {
      const [name = ''] = metricsIn(expr);
      const known = labels[family(name)];
      if (!known) continue;
      for (const [, by = ''] of expr.matchAll(/by \(([^)]*)\)/g))
        expect([...known, 'instance', 'job'], expr).to.include.members(by.split(', '));
    }
  });

  it('has balanced expressions that respect its variables', () => {
    expect(dashboard.templating.list.map(({ name, type }) => `${name} ${type}`)).to.deep.equal([
      'datasource datasource',
      'job query',
      'instance query',
    ]);
    for (const { expr, datasource } of targets) {
      for (const [open, close] of ['()', '{}', '[]'] as const)
        expect(expr.split(open ?? '').length, expr).to.equal(expr.split(close ?? '').length);
      const selectors = expr.match(/\{[^}]*\}/g) ?? [];
      expect(selectors, expr).not.to.deep.equal([]);
      for (const selector of selectors) expect(selector).to.match(/^\{job=~"\$job", instance=~"\$instance"/);
      expect(datasource).to.deep.equal({ type: 'prometheus', uid: '${datasource}' });
    }
  });

  it('has panels of a kind, with a unit and a description, that do not overlap', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).to.equal(dashboard.panels.length);
    for (const { title, type, description, fieldConfig, targets: own = [] } of panels) {
      expect(['timeseries', 'stat'], title).to.include(type);
      expect(description, title).to.have.length.above(20);
      expect(fieldConfig?.defaults.unit, title).to.be.a('string').and.not.equal('');
      expect(new Set(own.map(({ refId }) => refId)).size, title).to.equal(own.length);
      if (type === 'timeseries') for (const { legendFormat } of own) expect(legendFormat, title).not.to.equal('');
    }
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)}|${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).to.equal(cells.length);
    for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).to.be.at.most(24);
  });
});
