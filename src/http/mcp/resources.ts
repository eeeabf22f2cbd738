// Resources: fixed texts that an assistant reads when it needs them, so that tool descriptions stay short.
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { charts, findChart } from '../../domain/charts/catalogue/catalogue.js';
import { vocabulary } from '../../domain/vocabulary.js';
import { customerStatuses } from '../../domain/subscriber/entitlements.js';
import { subscriptionState } from '../subscribers/responses.js';
import { openApiGuide } from '../guide.js';

const chartUri = (id: string) => `subledger://charts/${id}`;

export function addResources(server: McpServer): void {
  const addText = (name: string, title: string, mimeType: string, text: () => string) =>
    server.registerResource(name, `subledger://${name}`, { title, mimeType }, (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: text() }],
    }));
  addText('events', 'Types of events', 'application/json', () =>
    JSON.stringify(vocabulary.map(({ name }) => name).sort()),
  );
  addText('lifecycle', 'States of subscriptions and customers', 'application/json', () =>
    JSON.stringify({ subscriptionStates: subscriptionState.options, customerStatuses }),
  );
  addText('openapi', 'Guide to the REST API', 'text/markdown', openApiGuide);
  const list = () => ({ resources: charts.map(({ id, name }) => ({ uri: chartUri(id), name: id, title: name })) });
  server.registerResource(
    'chart',
    new ResourceTemplate(chartUri('{id}'), { list }),
    { title: 'Definition of a chart', mimeType: 'application/json' },
    (uri, { id }) => {
      const chart = findChart(String(id));
      if (!chart) throw new Error('chart not found; see list_charts');
      const { name, description, category, kind, unit, measures, selectors } = chart;
      const text = JSON.stringify({ id, name, description, category, kind, unit, measures, selectors });
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
    },
  );
}
