// Search box for customers, transactions, pages and charts. `/` or Ctrl K opens it on every page.
import { Search as SearchIcon } from 'lucide';
import { useEffect, useId, useState } from 'preact/hooks';
import { pages } from '../app/pages';
import { roleMay, type Project } from '../app/project';
import { navigate } from '../app/router';
import { Dialog } from '../parts/dialog';
import { Icon } from '../parts/icon';
import { findCustomers, type Hit } from './find';

const WAIT_MS = 200;

export function Search({ project }: { readonly project: Project }) {
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
      {isOpen && <SearchDialog project={project} onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchDialog({ project, onClose }: { readonly project: Project; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ readonly text: string; readonly hits: readonly Hit[] }>({ text: '', hits: [] });
  const [error, setError] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const places = placesOf(project, text);
  const hits = text.trim() === '' ? places : [...found.hits, ...places];
  useEffect(() => {
    const asked = text.trim();
    if (asked === '') return;
    const stopping = new AbortController();
    const timer = setTimeout(() => {
      findCustomers(project.id, asked, stopping.signal).then(
        (customers) => {
          setFound({ text: asked, hits: customers });
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
  const isNone = text.trim() !== '' && found.text === text.trim() && hits.length === 0;
  return (
    <Dialog title="Search" onClose={onClose} class="search">
      <input
        type="text"
        role="combobox"
        aria-label="Any ID or email, or a page"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={hits.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="User ID, order ID, email, or a page"
        autocomplete="off"
        autofocus
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKey}
      />
      <p class="hint">
        Full app user ID, alias, customer ID, transaction or order ID, or email; or the beginning of an app user ID.
      </p>
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
            <span>{hit.title}</span> <small>{hit.about}</small>
          </li>
        ))}
      </ul>
      {error !== null && <p class="fault">{error}</p>}
      <p role="status">
        {isNone ? 'No results. Enter the full ID; parts from the middle of a word are not searched.' : ''}
      </p>
    </Dialog>
  );
}

function placesOf(project: Project, text: string): readonly Hit[] {
  const part = text.trim().toLowerCase();
  return pages
    .filter(({ nav, needs, title }) => nav && roleMay(project.role, needs) && title.toLowerCase().includes(part))
    .map(({ path, title }) => ({ to: `/projects/${project.id}${path}`, title, about: 'page' }));
}
