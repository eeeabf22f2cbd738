// All tools, in the order in which clients list them: the same for both transports.
import type { Tool } from './tool.js';
import { booksTools } from './tools/books.js';
import { catalogChangeTools } from './tools/catalog-change.js';
import { chartTools } from './tools/charts.js';
import { comparisonTools } from './tools/comparison.js';
import { customerTools } from './tools/customers.js';
import { deliveryTools } from './tools/deliveries.js';
import { grantTools } from './tools/grants.js';
import { problemTools } from './tools/problems.js';
import { setupTools } from './tools/setup.js';
import { simulationTools } from './tools/simulation.js';
import { timelineTools } from './tools/timeline.js';
import { webhookTools } from './tools/webhooks.js';

export const tools: readonly Tool[] = [
  ...customerTools,
  ...timelineTools,
  ...problemTools,
  ...chartTools,
  ...comparisonTools,
  ...booksTools,
  ...setupTools,
  ...webhookTools,
  ...simulationTools,
  ...grantTools,
  ...deliveryTools,
  ...catalogChangeTools,
];
