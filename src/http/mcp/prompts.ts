// Prompts: how to answer frequent questions with the tools.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Prompt = {
  readonly name: string;
  readonly title: string;
  readonly args: Readonly<Record<string, string>>;
  readonly text: (args: Readonly<Record<string, string>>) => string;
};

const prompts: readonly Prompt[] = [
  {
    name: 'why_no_access',
    title: 'Why does a customer have no access?',
    args: { customer: 'App user ID, transaction ID or customer ID.' },
    text: ({ customer }) =>
      `Find out why this customer has no access: ${customer}. Use find_customer if the ID is not exact, then explain_access. Name the deciding event with its time and cause, what would give access back, and the link. If money is involved, use trace_transaction.`,
  },
  {
    name: 'why_did_this_number_change',
    title: 'Why did this number change?',
    args: {
      chart: 'Chart ID, see list_charts.',
      bucket: 'Start of the bucket.',
      since: 'Instant of the earlier figure.',
    },
    text: ({ chart, bucket, since }) =>
      `Explain why the chart ${chart} shows another figure for the bucket ${bucket} than it did at ${since}. Use compare_chart with thenAsOf, list the reasons with their amounts, and check that they add up to the difference. Name customers only from the answer.`,
  },
  {
    name: 'weekly_report',
    title: 'Weekly report',
    args: {},
    text: () =>
      'Write a short report of the last seven days: get_overview, then revenue and actives_movement by day with get_chart, find_problem_customers for billing_issue, and check_webhook. Give exact figures with their link, and mark incomplete ones.',
  },
  {
    name: 'integrate',
    title: 'What is missing in the setup?',
    args: { platform: 'ios or android.' },
    text: ({ platform }) =>
      `Guide me through the setup for ${platform}: use get_setup_status and get_catalog, list what is missing in order, and say for each step where it is done. Do not change anything.`,
  },
  {
    name: 'switch_from_revenuecat',
    title: 'Switch from RevenueCat',
    args: {},
    text: () =>
      'Check whether this project is ready for apps that use RevenueCat’s SDKs: get_setup_status (SDK calls, refused receipts), get_catalog (entitlements, offerings and packages for each app), and list what still differs.',
  },
];

export function addPrompts(server: McpServer): void {
  for (const { name, title, args, text } of prompts) {
    const shape = Object.entries(args).map(([arg, description]) => [arg, z.string().max(300).meta({ description })]);
    const argsSchema = z.object(Object.fromEntries(shape) as Record<string, z.ZodString>);
    server.registerPrompt(name, { title, argsSchema }, (given) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(given) } }],
    }));
  }
}
