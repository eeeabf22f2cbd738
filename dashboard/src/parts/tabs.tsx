// Tabs: one tab stop, arrow keys move between them. The panel of the selected tab is rendered.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import '../styles/tabs.css';

export type Tab<Id extends string> = { readonly id: Id; readonly name: string };

export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** Content of the selected tab. */
  readonly children: ComponentChildren;
}) {
  const base = useId();
  const place = useRef<HTMLDivElement>(null);
  const lastTab = useRef(selected);
  useEffect(() => {
    if (lastTab.current === selected) return;
    lastTab.current = selected;
    // The control that selected the tab may be gone with the former panel.
    if (document.activeElement !== document.body) return;
    place.current?.querySelector<HTMLElement>(`[data-tab="${selected}"]`)?.focus();
  }, [selected]);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    place.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <section class="card tabbed" aria-label={label}>
      <div class="tabs" role="tablist" aria-label={label} ref={place} onKeyDown={move}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            data-tab={id}
            aria-selected={id === selected}
            aria-controls={id === selected ? `${base}-panel` : undefined}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`}>
        {children}
      </div>
    </section>
  );
}
