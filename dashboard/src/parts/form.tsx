// Form that keeps its input when the server rejects it, and shows the error at the field.
import type {
  ComponentChildren,
  InputHTMLAttributes,
  SelectHTMLAttributes,
  TargetedSubmitEvent,
  TextareaHTMLAttributes,
} from 'preact';
import { createContext } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';

type Fault = { readonly text: string; /** Of the field that it is about. */ readonly name: string | null };

const FaultContext = createContext<Fault | null>(null);

export function Form({
  submit,
  label,
  children,
  class: className,
  isPlain = false,
  isDanger = false,
}: {
  /** Throws an error, or resolves with an error message. */
  readonly submit: (data: FormData) => Promise<string | null | void>;
  readonly label: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** Renders a secondary button. */
  readonly isPlain?: boolean;
  /** Marks an action that cannot be undone. */
  readonly isDanger?: boolean;
}) {
  const [fault, setFault] = useState<Fault | null>(null);
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    const data = new FormData(event.currentTarget);
    const refused = await submit(data).catch((err: Error) => err.message);
    setFault(refused ? { text: refused, name: nameIn(refused, data) } : null);
    setBusy(false);
  };
  return (
    <form
      class={className}
      onSubmit={(event) => void send(event)}
      aria-describedby={fault?.name === null ? id : undefined}
    >
      <FaultContext.Provider value={fault}>{children}</FaultContext.Provider>
      {fault?.name === null && (
        <p id={id} class="fault" role="alert">
          {fault.text}
        </p>
      )}
      <button type="submit" class={isDanger ? 'danger' : isPlain ? undefined : 'primary'} disabled={isBusy}>
        {label}
      </button>
    </form>
  );
}

/** Returns the field that an error message is about: the message begins with its name, `config.title must be …`. */
function nameIn(refused: string, data: FormData): string | null {
  const [first = ''] = refused.split(/[^\w]/, 1);
  return data.has(first) ? first : null;
}

/** Returns the hint and the error of a field, and the ARIA attributes that link them to it. */
function useRemarks(id: string, name: unknown, hint: string | undefined) {
  const fault = useContext(FaultContext);
  const isFault = fault !== null && fault.name === name;
  const about = [hint && `${id}-hint`, isFault && `${id}-fault`].filter(Boolean).join(' ');
  return {
    said: { id, 'aria-describedby': about || undefined, 'aria-invalid': isFault || undefined },
    remarks: (
      <>
        {hint && (
          <small id={`${id}-hint`} class="hint">
            {hint}
          </small>
        )}
        {isFault && (
          <span id={`${id}-fault`} class="fault" role="alert">
            {fault.text}
          </span>
        )}
      </>
    ),
  };
}

export function Field({
  label,
  hint,
  ...input
}: { readonly label: string; readonly hint?: string } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const { said, remarks } = useRemarks(id, input.name, hint);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input {...said} {...input} />
      {remarks}
    </p>
  );
}

export function Area({
  label,
  hint,
  ...area
}: { readonly label: string; readonly hint?: string } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const { said, remarks } = useRemarks(id, area.name, hint);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <textarea rows={6} required spellcheck={false} autocomplete="off" {...said} {...area} />
      {remarks}
    </p>
  );
}

export function Check({
  label,
  name,
  value,
  isOn,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Initial state. */
  readonly isOn: boolean;
}) {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
      {label}
    </label>
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
  const { said, remarks } = useRemarks(id, select.name, undefined);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select {...said} {...select}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === select.value}>
            {text}
          </option>
        ))}
      </select>
      {remarks}
    </p>
  );
}
