// Places that the search finds by name: projects, pages, charts, and what is set up in the current project.
import { ChartColumn, FlaskConical, FolderOpen, Smartphone, UserRound, Webhook } from 'lucide';
import type { IconNode } from 'lucide';
import { api, unwrap } from '../../api/client';
import { useQuery } from '../../api/query';
import { pages } from '../pages';
import { roleMay, type Permission, type Project } from '../../context/project';

export type Hit = {
  readonly to: string;
  readonly title: string;
  /** Kind of the place, or the state of a customer. */
  readonly about: string;
  readonly icon: IconNode;
};

export const CUSTOMER_ICON = UserRound;
const MAX_LISTED = 100;

/** Returns all places that the user may open. Lists of the project are loaded when the search opens. */
export function usePlaces(projects: readonly Project[], project: Project | null): readonly Hit[] {
  const id = project?.id ?? '';
  const base = `/projects/${id}`;
  const listRequest = { params: { path: { id }, query: { limit: MAX_LISTED } } };
  const keyOf = (list: string, needs: Permission) =>
    project && roleMay(project.role, needs) ? `search|${list}|${id}` : null;
  const charts = useQuery(keyOf('charts', 'readCharts'), (signal) =>
    unwrap(api.GET('/v1/projects/{id}/metrics/charts', { params: { path: { id } }, signal })),
  );
  const apps = useQuery(keyOf('apps', 'readSetup'), (signal) =>
    unwrap(api.GET('/v1/projects/{id}/apps', { ...listRequest, signal })),
  );
  const webhooks = useQuery(keyOf('webhooks', 'readSetup'), (signal) =>
    unwrap(api.GET('/v1/projects/{id}/webhooks', { ...listRequest, signal })),
  );
  const experiments = useQuery(keyOf('experiments', 'readSetup'), (signal) =>
    unwrap(api.GET('/v1/projects/{id}/experiments', { ...listRequest, signal })),
  );
  const others = projects
    .filter((one) => one.id !== project?.id)
    .map(({ id: other, name }) => ({ to: `/projects/${other}`, title: name, about: 'project', icon: FolderOpen }));
  if (!project) return others;
  return [
    ...pages.flatMap(({ path, title, nav, needs }) =>
      nav && roleMay(project.role, needs) ? [{ to: `${base}${path}`, title, about: 'page', icon: nav.icon }] : [],
    ),
    ...(charts.data?.items ?? []).map((chart) => ({
      to: `${base}/charts/${chart.id}`,
      title: chart.name,
      about: 'chart',
      icon: ChartColumn,
    })),
    ...(apps.data?.items ?? []).map((app) => ({
      to: `${base}/setup/${app.id}`,
      title: app.name,
      about: 'app',
      icon: Smartphone,
    })),
    ...(webhooks.data?.items ?? []).map((webhook) => ({
      to: `${base}/webhooks/${webhook.id}`,
      title: webhook.name ?? webhook.url,
      about: 'webhook',
      icon: Webhook,
    })),
    ...(experiments.data?.items ?? []).map((experiment) => ({
      to: `${base}/experiments/${experiment.id}`,
      title: experiment.name,
      about: 'experiment',
      icon: FlaskConical,
    })),
    ...others,
  ];
}

/** Returns the places whose name contains all words of the text, those that begin with it first. */
export function matchPlaces(places: readonly Hit[], text: string): readonly Hit[] {
  const sought = text.trim().toLowerCase();
  const words = sought.split(/\s+/);
  const begins = ({ title }: Hit) => title.toLowerCase().startsWith(sought);
  const found = places.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return [...found.filter(begins), ...found.filter((hit) => !begins(hit))];
}
