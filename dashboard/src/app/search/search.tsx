// Search box for customers, transactions, pages, charts and all that has a name. `/` or Ctrl K opens it on every page.
import { Search as SearchIcon } from 'lucide';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Project } from '../../context/project';
import { navigate } from '../../context/router';
import { Dialog } from '../../parts/dialog';
import { Icon } from '../../parts/icon';
import { findCustomers, type FoundCustomers } from './find';
import { matchPlaces, usePlaces, type Hit } from './places';

const WAIT_MS = 200;
/** Places listed before anything is typed. */
const MAX_SUGGESTED = 12;
const MAX_PLACES = 20;
const NOTHING_FOUND = { text: '', hits: [], obstacle: null };

/** `project` is that of the current page; customers are searched in it. */
type Scope = { readonly projects: readonly Project[]; readonly project: Project | null };

export function Search({ projects, project }: Scope) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      const isAsked = event.key === 'k' && (event.ctrlKey || event.metaKey);
      if (!isAsked && (event.key !== '/' || isTyping)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" class="search-open" onClick={() => setOpen(true)} aria-keyshortcuts="Control+K /">
        <Icon of={SearchIcon} /> Search <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <SearchDialog projects={projects} project={project} onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchDialog({ projects, project, onClose }: Scope & { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<FoundCustomers & { readonly text: string }>(NOTHING_FOUND);
  const [error, setError] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const all = usePlaces(projects, project);
  const isBlank = text.trim() === '';
  const hits = isBlank ? all.slice(0, MAX_SUGGESTED) : [...found.hits, ...matchPlaces(all, text).slice(0, MAX_PLACES)];
  useEffect(() => {
    const term = text.trim();
    if (term === '' || !project) return;
    const stopping = new AbortController();
    const timer = setTimeout(() => {
      findCustomers(project.id, term, stopping.signal).then(
        (customers) => {
          setFound({ text: term, ...customers });
          setError(null);
          setChosen(0);
        },
        (err: Error) => stopping.signal.aborted || setError(err.message),
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [text]);
  const open = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    navigate(hit.to);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen((chosen + step + hits.length) % Math.max(hits.length, 1));
    if (event.key === 'Enter') open(hits[chosen]);
    if (step !== 0 || event.key === 'Enter') event.preventDefault();
  };
  const isAnswered = !isBlank && (!project || found.text === text.trim());
  const isNone = isAnswered && hits.length === 0;
  const obstacle = isAnswered ? found.obstacle : null;
  return (
    <Dialog title="Search" onClose={onClose} class="search">
      <input
        type="text"
        role="combobox"
        aria-label={project ? 'Any ID or email, or a page' : 'Project'}
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={hits.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={project ? 'User ID, order ID, email, page, chart…' : 'Project'}
        autocomplete="off"
        autofocus
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKey}
      />
      {project && (
        <p class="hint">
          Full app user ID, alias, customer ID, transaction or order ID, or email; or the beginning of an app user ID.
        </p>
      )}
      <ul id={`${id}-list`} role="listbox" aria-label="Found">
        {hits.map((hit, i) => (
          <li
            key={hit.to}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => open(hit)}
            onMouseMove={() => setChosen(i)}
          >
            <Icon of={hit.icon} /> <span>{hit.title}</span> <small>{hit.about}</small>
          </li>
        ))}
      </ul>
      {error !== null && <p class="fault">{error}</p>}
      <p role="status">
        {obstacle}
        {isNone && project && obstacle === null
          ? 'No results. Enter the full ID; parts from the middle of a word are not searched.'
          : ''}
        {isNone && !project ? 'No project with this name. Open a project to search its customers.' : ''}
      </p>
    </Dialog>
  );
}
