// A form that keeps what was typed when it is refused, and says why beside it.
import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';

export function Form({
  submit,
  label,
  children,
  class: className,
  isPlain = false,
}: {
  /** Throws, or resolves with, why it was refused. */
  readonly submit: (data: FormData) => Promise<string | null | void>;
  readonly label: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** One thing to do among others. */
  readonly isPlain?: boolean;
}) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    const refused = await submit(new FormData(event.currentTarget)).catch((err: Error) => err.message);
    setFault(refused ?? null);
    setBusy(false);
  };
  return (
    <form class={className} onSubmit={(event) => void send(event)} aria-describedby={fault ? id : undefined}>
      {children}
      {fault && (
        <p id={id} class="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" class={isPlain ? undefined : 'primary'} disabled={isBusy}>
        {label}
      </button>
    </form>
  );
}

export function Field({
  label,
  hint,
  ...input
}: { readonly label: string; readonly hint?: string } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
      {hint && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </p>
  );
}

export function Area({ label, name }: { readonly label: string; readonly name: string }) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <textarea id={id} name={name} rows={6} required spellcheck={false} autocomplete="off" />
    </p>
  );
}

export function Select({
  label,
  options,
  ...select
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
} & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} {...select}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === select.value}>
            {text}
          </option>
        ))}
      </select>
    </p>
  );
}
