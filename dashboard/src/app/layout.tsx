// Frame of every page: skip link, project, search, environment, navigation and user menu.
import { Menu as MenuIcon } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { Link } from '../parts/link';
import { Menu } from '../parts/menu';
import { Search } from './search/search';
import { logOut, session } from '../session/session';
import { Brand } from '../context/brand';
import { NAV_GROUPS, pages } from './pages';
import { roleMay, type Project } from '../context/project';
import { ACCOUNT_PATH, PROJECTS_PATH } from '../context/paths';
import { showsLocalTime, theme, type Theme } from '../context/preferences';
import { environment, navigate, path as currentPath, setQuery } from '../context/router';

const DEMO_MONTHS = 14;

type Props = { readonly projects: readonly Project[]; readonly within: string; readonly children: ComponentChildren };

export function Layout({ projects, within, children }: Props) {
  const project = projects.find(({ id }) => window.location.pathname.includes(`/projects/${id}`));
  const isSandbox = project !== undefined && environment.value === 'sandbox';
  const [isNavOpen, setNavOpen] = useState(false);
  useEffect(() => setNavOpen(false), [currentPath.value]);
  return (
    <div class={isSandbox ? 'frame sandbox' : 'frame'}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        {project && (
          <button
            type="button"
            class="nav-open"
            aria-label="Pages"
            aria-expanded={isNavOpen}
            onClick={() => setNavOpen(!isNavOpen)}
          >
            <Icon of={MenuIcon} />
          </button>
        )}
        <Link to="/" class="brand">
          <Brand />
        </Link>
        {project && <ProjectChoice projects={projects} current={project} />}
        <Search projects={projects} project={project ?? null} />
        {project && <EnvironmentSwitch isSandbox={isSandbox} />}
        <UserMenu />
      </header>
      {isSandbox && (
        <p class="sandbox-note" role="note">
          Sandbox: test purchases only
        </p>
      )}
      <div class={project ? 'body' : 'body alone'}>
        {project && <Nav project={project} within={within} isOpen={isNavOpen} />}
        <main id="main" tabIndex={-1}>
          {project?.demo === 'playing' && <DemoProgress share={project.demoProgress ?? 0} />}
          {children}
        </main>
      </div>
    </div>
  );
}

function DemoProgress({ share }: { readonly share: number }) {
  const months = Math.floor(share * DEMO_MONTHS);
  return (
    <div class="note">
      <p id="demo-progress" role="status">
        The demo customers’ history is being simulated. Figures keep growing for about a minute.
      </p>
      <progress aria-labelledby="demo-progress" value={share} max={1} />
      <small>
        {Math.floor(share * 100)} %, month {Math.min(months + 1, DEMO_MONTHS)} of {DEMO_MONTHS}
      </small>
    </div>
  );
}

function ProjectChoice({ projects, current }: { readonly projects: readonly Project[]; readonly current: Project }) {
  return (
    <select
      class="project-choice"
      aria-label="Project"
      value={current.id}
      onChange={({ currentTarget }) =>
        navigate(currentTarget.value === '' ? PROJECTS_PATH : `/projects/${currentTarget.value}`)
      }
    >
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value="">All projects…</option>
    </select>
  );
}

function EnvironmentSwitch({ isSandbox }: { readonly isSandbox: boolean }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isSandbox}
        onChange={() => setQuery({ environment: isSandbox ? null : 'sandbox' }, { replaces: false })}
      />
      Sandbox
    </label>
  );
}

type NavProps = {
  readonly project: Project;
  readonly within: string;
  /** On a narrow screen. */ readonly isOpen: boolean;
};

function Nav({ project, within, isOpen }: NavProps) {
  const visiblePages = pages.filter(({ nav, needs }) => nav && roleMay(project.role, needs));
  return (
    <nav aria-label="Pages" class={isOpen ? 'open' : undefined}>
      {NAV_GROUPS.map((group) => (
        <ul key={group}>
          {visiblePages.map(
            ({ path, title, nav }) =>
              nav?.group === group && (
                <li key={path}>
                  <Link
                    to={`/projects/${project.id}${path}`}
                    isCurrent={within === path || within.startsWith(`${path}/`)}
                  >
                    <Icon of={nav.icon} />
                    {title}
                  </Link>
                </li>
              ),
          )}
        </ul>
      ))}
    </nav>
  );
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

function UserMenu() {
  const user = 'user' in session.value ? session.value.user : null;
  return (
    <Menu label="You" class="menu me" button={(user?.name ?? user?.email ?? '?').slice(0, 1).toUpperCase()}>
      <p>{user?.email}</p>
      <label class="field">
        Theme
        <select value={theme.value} onChange={({ currentTarget }) => (theme.value = currentTarget.value as Theme)}>
          {THEMES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={showsLocalTime.value}
          onChange={() => (showsLocalTime.value = !showsLocalTime.value)}
        />
        Show local time, too
      </label>
      <button type="button" onClick={() => navigate(ACCOUNT_PATH)}>
        Your account
      </button>
      <button type="button" onClick={() => void logOut()}>
        Log out
      </button>
    </Menu>
  );
}
