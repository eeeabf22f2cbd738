// All pages of a project. A new page is one entry here and one folder; its code is loaded when it is opened.
import {
  Activity,
  ChartColumn,
  CreditCard,
  FlaskConical,
  GitCompareArrows,
  History,
  Inbox,
  Landmark,
  LayoutDashboard,
  Settings,
  SlidersHorizontal,
  Target,
  Upload,
  UserRound,
  UsersRound,
  Webhook,
  type IconNode,
} from 'lucide';
import type { ComponentType } from 'preact';
import type { Permission } from '../context/project';
import type { PageProps } from '../context/router';

/** Groups of the navigation in their order: figures and customers, operation, selling, and the project itself. */
export const NAV_GROUPS = ['insight', 'operation', 'selling', 'project'] as const;
type NavGroup = (typeof NAV_GROUPS)[number];

export type Page = {
  /** Path below `/projects/:id`; `:name` matches one segment. */
  readonly path: string;
  readonly title: string;
  /** Permission to see the page; the server decides which data it returns. */
  readonly needs: Permission;
  /** Entry in the navigation; other pages are reached from another page, whose entry is highlighted. */
  readonly nav?: { readonly group: NavGroup; readonly icon: IconNode };
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
};

export const pages: readonly Page[] = [
  {
    path: '/overview',
    title: 'Overview',
    needs: 'readCharts',
    nav: { group: 'insight', icon: LayoutDashboard },
    load: () => import('../overview/overview-page'),
  },
  {
    path: '/customers',
    title: 'Customers',
    needs: 'readCustomers',
    nav: { group: 'insight', icon: UserRound },
    load: () => import('../customers/customers-page'),
  },
  {
    path: '/customers/:cid',
    title: 'Customer',
    needs: 'readCustomers',
    load: () => import('../customer/customer-page'),
  },
  {
    path: '/charts',
    title: 'Charts',
    needs: 'readCharts',
    nav: { group: 'insight', icon: ChartColumn },
    load: () => import('../charts/charts-page'),
  },
  { path: '/charts/:chartId', title: 'Chart', needs: 'readCharts', load: () => import('../charts/chart-page') },
  {
    path: '/compare',
    title: 'Compare',
    needs: 'readCharts',
    nav: { group: 'insight', icon: GitCompareArrows },
    load: () => import('../charts/compare/compare-page'),
  },
  {
    path: '/money',
    title: 'Money',
    needs: 'readCharts',
    nav: { group: 'insight', icon: Landmark },
    load: () => import('../money/money-page'),
  },
  { path: '/money/:month', title: 'Month', needs: 'readCharts', load: () => import('../money/month-page') },
  { path: '/money/:month/:cause', title: 'Cause', needs: 'readCharts', load: () => import('../money/cause-page') },
  {
    path: '/live',
    title: 'Live',
    needs: 'readCustomers',
    nav: { group: 'operation', icon: Activity },
    load: () => import('../live/live-page'),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    needs: 'readCustomers',
    nav: { group: 'operation', icon: Inbox },
    load: () => import('../notifications/notifications-page'),
  },
  {
    path: '/notifications/:nid',
    title: 'Notification',
    needs: 'readCustomers',
    load: () => import('../notifications/notification-page'),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    needs: 'readSetup',
    nav: { group: 'operation', icon: Webhook },
    load: () => import('../webhooks/webhooks-page'),
  },
  { path: '/webhooks/:wid', title: 'Webhook', needs: 'readCustomers', load: () => import('../webhooks/webhook-page') },
  {
    path: '/paywalls',
    title: 'Paywalls',
    needs: 'readSetup',
    nav: { group: 'selling', icon: CreditCard },
    load: () => import('../paywalls/paywalls-page'),
  },
  {
    path: '/targeting',
    title: 'Targeting',
    needs: 'readSetup',
    nav: { group: 'selling', icon: Target },
    load: () => import('../targeting/targeting-page'),
  },
  {
    path: '/experiments',
    title: 'Experiments',
    needs: 'readSetup',
    nav: { group: 'selling', icon: FlaskConical },
    load: () => import('../experiments/experiments-page'),
  },
  {
    path: '/experiments/:eid',
    title: 'Experiment',
    needs: 'readSetup',
    load: () => import('../experiments/experiment-page'),
  },
  {
    path: '/setup',
    title: 'Setup',
    needs: 'readSetup',
    nav: { group: 'project', icon: Settings },
    load: () => import('../setup/setup-page'),
  },
  {
    path: '/setup/:appId',
    title: 'Connect an app',
    needs: 'administer',
    load: () => import('../setup/wizard/wizard-page'),
  },
  {
    path: '/imports',
    title: 'Imports',
    needs: 'configure',
    nav: { group: 'project', icon: Upload },
    load: () => import('../imports/imports-page'),
  },
  {
    path: '/members',
    title: 'Members',
    needs: 'readSetup',
    nav: { group: 'project', icon: UsersRound },
    load: () => import('../members/members-page'),
  },
  {
    path: '/settings',
    title: 'Settings',
    needs: 'administer',
    nav: { group: 'project', icon: SlidersHorizontal },
    load: () => import('../settings/settings-page'),
  },
  {
    path: '/audit',
    title: 'Audit',
    needs: 'administer',
    nav: { group: 'project', icon: History },
    load: () => import('../audit/audit-page'),
  },
];

export type PageMatch = { readonly page: Page; readonly params: Readonly<Record<string, string>> };

/** `path` is relative to the project. */
export function findPage(path: string): PageMatch | null {
  const segments = path.split('/');
  for (const page of pages) {
    const names = page.path.split('/');
    if (names.length !== segments.length) continue;
    if (!names.every((name, i) => name.startsWith(':') || name === segments[i])) continue;
    const params = names.flatMap((name, i) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(segments[i] ?? '')]] : [],
    );
    return { page, params: Object.fromEntries(params) };
  }
  return null;
}
