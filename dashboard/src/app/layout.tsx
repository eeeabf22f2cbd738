// Frame of every page: skip link, project, search, environment, navigation and user menu.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Link } from '../parts/link';
import { Search } from '../search/search';
import { logOut, session } from '../session/session';
import { pages } from './pages';
import { roleMay, type Project } from './project';
import { showsLocalTime, theme, type Theme } from './preferences';
import { environment, navigate, setQuery } from './router';

type Props = { readonly projects: readonly Project[]; readonly within: string; readonly children: ComponentChildren };

export function Layout({ projects, within, children }: Props) {
  const project = projects.find(({ id }) => window.location.pathname.includes(`/projects/${id}`));
  const isSandbox = project !== undefined && environment.value === 'sandbox';
  return (
    <div class={isSandbox ? 'frame sandbox' : 'frame'}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <Link to="/" class="brand">
          Subledger
        </Link>
        {project && <ProjectChoice projects={projects} current={project} />}
        {project && <Search project={project} />}
        {project && <EnvironmentSwitch isSandbox={isSandbox} />}
        <UserMenu />
      </header>
      {isSandbox && (
        <p class="sandbox-note" role="note">
          Sandbox: test purchases only
        </p>
      )}
      <div class={project ? 'body' : 'body alone'}>
        {project && <Nav project={project} within={within} />}
        <main id="main" tabIndex={-1}>
          {project?.demo === 'playing' && (
            <p class="note" role="status">
              The demo customers’ history is being simulated. Figures keep growing for about a minute.
            </p>
          )}
          {children}
        </main>
      </div>
    </div>
  );
}

function ProjectChoice({ projects, current }: { readonly projects: readonly Project[]; readonly current: Project }) {
  return (
    <select
      class="project-choice"
      aria-label="Project"
      value={current.id}
      onChange={({ currentTarget }) => navigate(currentTarget.value === '' ? '/' : `/projects/${currentTarget.value}`)}
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

function Nav({ project, within }: { readonly project: Project; readonly within: string }) {
  const shown = pages.filter(({ inNav, needs }) => inNav && roleMay(project.role, needs));
  return (
    <nav aria-label="Pages">
      <ul>
        {shown.map(({ path, title }) => (
          <li key={path}>
            <Link to={`/projects/${project.id}${path}`} isCurrent={within === path || within.startsWith(`${path}/`)}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

function UserMenu() {
  const [isOpen, setOpen] = useState(false);
  const user = 'user' in session.value ? session.value.user : null;
  const opener = useRef<HTMLButtonElement>(null);
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    opener.current?.focus();
    setOpen(false);
  };
  return (
    <div class="me" onKeyDown={close}>
      <button
        ref={opener}
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        aria-label="You"
        onClick={() => setOpen(!isOpen)}
      >
        {(user?.name ?? user?.email ?? '?').slice(0, 1).toUpperCase()}
      </button>
      {isOpen && (
        <div class="menu">
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
            Show local time in addition to UTC
          </label>
          <button type="button" onClick={() => void logOut()}>
            Log out
          </button>
        </div>
      )}
    </div>
  );
}
