// Renders the login, the project selection or a page of a project, depending on the URL.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { api, unwrapAll } from '../api/client';
import { preload, useQuery } from '../api/query';
import { Empty, Loading, Problem } from '../parts/states';
import { Link } from '../parts/link';
import { Toasts } from '../parts/toast';
import { Invitation, INVITATION } from '../sign-in/invitation';
import { SessionEnded, Welcome } from '../sign-in/login';
import { session, startSession, type User } from '../session/session';
import { Layout } from './layout';
import { findPage, pages, type Page } from './pages';
import { Projects } from './projects';
import { ACCOUNT_PATH, PROJECTS_PATH } from '../context/paths';
import { ProjectContext, roleMay, type Project } from '../context/project';
import { navigate, path, type PageProps } from '../context/router';
import { showTimesIn } from '../context/time-zone';

const DEMO_POLL_MS = 2000;
const PROJECTS = 'projects';
const PROJECT_PATH = /^\/projects\/([^/]+)(\/.*)?$/;

/** Loads code and data of the requested page while the session is being restored. */
export async function preloadPage(): Promise<void> {
  const [, , within = '/overview'] = PROJECT_PATH.exec(path.value) ?? [];
  const code = findPage(within)?.page.load();
  await Promise.all([preload(PROJECTS, () => loadProjects()), code]);
}

const loadProjects = (signal: AbortSignal | null = null) =>
  unwrapAll((query) => api.GET('/v1/projects', { params: { query }, signal }));

export function App() {
  const { value } = session;
  if (value.state === 'starting') {
    if (!value.problem) return <Loading what="the page" />;
    return (
      <main id="main" class="welcome">
        <Problem error={value.problem} onRetry={() => void startSession(preloadPage)} />
      </main>
    );
  }
  if (value.state === 'out') return <Welcome />;
  return (
    <>
      <Dashboard user={value.user} />
      {value.state === 'ended' && <SessionEnded user={value.user} />}
      <Toasts />
    </>
  );
}

function Dashboard({ user }: { readonly user: User }) {
  const [isPlaying, setPlaying] = useState(false);
  const projectList = useQuery(PROJECTS, loadProjects, {
    every: isPlaying ? DEMO_POLL_MS : undefined,
  });
  const projects = projectList.data?.items ?? [];
  const [, id, within] = PROJECT_PATH.exec(path.value) ?? [];
  const project = projects.find((one) => one.id === id);
  showTimesIn(project?.timezone ?? 'UTC');
  const only = path.value === '/' && projectList.data && projects.length === 1 ? projects[0] : undefined;
  useEffect(() => setPlaying(projects.some((one) => one.demo === 'playing')));
  useEffect(() => {
    if (project && within === undefined) navigate(`/projects/${project.id}${firstPageOf(project)}`, { replaces: true });
  }, [project?.id, within]);
  useEffect(() => {
    if (only) navigate(`/projects/${only.id}${firstPageOf(only)}`, { replaces: true });
  }, [only?.id]);
  const content = () => {
    if (path.value === INVITATION) return <Invitation user={user} />;
    if (path.value === ACCOUNT_PATH) return <LazyPage page={accountPage} params={{}} />;
    if (projectList.error) return <Problem error={projectList.error} onRetry={projectList.refetch} />;
    if (!projectList.data || only) return <Loading what="your projects" />;
    if (id === undefined) return <Projects projects={projects} />;
    if (!project) return <NotAvailable what="Project not found, or you are not a member of it." />;
    return <ProjectPage project={project} within={within ?? '/overview'} />;
  };
  return (
    <ProjectContext.Provider value={project ?? null}>
      <Layout projects={projects} within={within ?? ''}>
        {content()}
      </Layout>
    </ProjectContext.Provider>
  );
}

function firstPageOf({ role }: Project): string {
  return pages.find(({ nav, needs }) => nav && roleMay(role, needs))?.path ?? '/customers';
}

function ProjectPage({ project, within }: { readonly project: Project; readonly within: string }) {
  const found = findPage(within);
  useEffect(() => {
    document.title = `${found?.page.title ?? 'Not found'} · ${project.name} · Subledger`;
  }, [found?.page, project.name]);
  if (!found) return <NotAvailable what="Page not found." />;
  if (!roleMay(project.role, found.page.needs)) {
    return <NotAvailable what={`Your role in this project (${project.role}) does not include this page.`} />;
  }
  return <LazyPage key={found.page.path} page={found.page} params={found.params} />;
}

const accountPage = { title: 'Your account', load: () => import('../account/account-page') };

function LazyPage({ page, params }: { readonly page: Pick<Page, 'title' | 'load'> } & PageProps) {
  const [View, setView] = useState<ComponentType<PageProps> | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    page.load().then((module) => setView(() => module.default), setError);
  }, [page]);
  // File names change with each release.
  if (error) return <Problem error={new Error('Part of the page could not be loaded. Reload the page.')} />;
  return View ? <View params={params} /> : <Loading what={page.title.toLowerCase()} />;
}

function NotAvailable({ what }: { readonly what: string }) {
  return (
    <>
      <h1>Not available</h1>
      <Empty title={what}>
        <Link to={PROJECTS_PATH}>Your projects</Link>
      </Empty>
    </>
  );
}
