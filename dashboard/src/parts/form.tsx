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
import { inLabels, labelsOf } from './field-labels';

type FormError = { readonly text: string; /** Field that the error is about. */ readonly name: string | null };

const FormErrorContext = createContext<FormError | null>(null);

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
  const [fault, setFault] = useState<FormError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    const data = new FormData(event.currentTarget);
    const labels = labelsOf(event.currentTarget);
    const refused = await submit(data).catch((err: Error) => err.message);
    setFault(refused ? errorIn(refused, labels) : null);
    setBusy(false);
  };
  return (
    <form
      class={className}
      onSubmit={(event) => void send(event)}
      aria-describedby={fault?.name === null ? id : undefined}
    >
      <FormErrorContext.Provider value={fault}>{children}</FormErrorContext.Provider>
      {fault?.name === null && (
        <p id={id} class="fault" role="alert">
          {fault.text}
        </p>
      )}
      <button
        type="submit"
        class={isDanger ? 'danger' : isPlain ? undefined : 'primary'}
        disabled={isBusy}
        onClick={preventSecondClick}
      >
        {label}
      </button>
    </form>
  );
}

/** The second click of a double click sends nothing: the first may have been answered in between, and would be repeated. */
function preventSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

function errorIn(message: string, labels: ReadonlyMap<string, string>): FormError {
  const { text, field } = inLabels(message, labels);
  return { text, name: field };
}

/** Returns the hint and the error of a field, and the ARIA attributes that link them to it. */
function useFieldMessages(id: string, name: unknown, hint: string | undefined) {
  const fault = useContext(FormErrorContext);
  const isFault = fault !== null && fault.name === name;
  const about = [hint && `${id}-hint`, isFault && `${id}-fault`].filter(Boolean).join(' ');
  return {
    inputProps: { id, 'aria-describedby': about || undefined, 'aria-invalid': isFault || undefined },
    messages: (
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
  const { inputProps, messages } = useFieldMessages(id, input.name, hint);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input {...inputProps} {...input} />
      {messages}
    </p>
  );
}

export function Area({
  label,
  hint,
  ...area
}: { readonly label: string; readonly hint?: string } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const { inputProps, messages } = useFieldMessages(id, area.name, hint);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <textarea rows={6} required spellcheck={false} autocomplete="off" {...inputProps} {...area} />
      {messages}
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
  hint,
  options,
  ...select
}: {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: string, text: string])[];
} & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  const { inputProps, messages } = useFieldMessages(id, select.name, hint);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select {...inputProps} {...select}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === select.value}>
            {text}
          </option>
        ))}
      </select>
      {messages}
    </p>
  );
}
