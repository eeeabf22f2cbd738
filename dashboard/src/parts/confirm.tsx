// The question before what cannot be undone: it names what breaks and, where that is known, who used it last.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { invalidate } from '../api/query';
import { Dialog } from './dialog';
import { Form } from './form';
import { toast } from './toast';

export function Confirm({
  label,
  title = label,
  action = label,
  run,
  done,
  breaks,
  lastUse,
  isIcon = false,
  children,
}: {
  readonly label: string;
  /** Of the dialog, where the button's label does not name what it is about. */
  readonly title?: string;
  /** The dialog's own button. */
  readonly action?: string;
  readonly run: (data: FormData) => unknown;
  /** Absent: the page shows the result by itself. */
  readonly done?: string;
  /** What stops working, for whom, and from when on. */
  readonly breaks: ComponentChildren;
  readonly lastUse?: ComponentChildren;
  /** A small cross in a list; its label is for screen readers. */
  readonly isIcon?: boolean;
  /** Fields. */
  readonly children?: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const submit = async (data: FormData) => {
    await run(data);
    close();
    invalidate();
    if (done !== undefined) toast(done);
  };
  return (
    <>
      {isIcon ? (
        <button type="button" class="quiet" aria-label={label} onClick={() => setOpen(true)}>
          ✕
        </button>
      ) : (
        <button type="button" class="controls danger" onClick={() => setOpen(true)}>
          {label}…
        </button>
      )}
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Form label={action} submit={submit} isDanger>
            <p>{breaks}</p>
            {lastUse !== undefined && <p class="hint">{lastUse}</p>}
            {children}
          </Form>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </Dialog>
      )}
    </>
  );
}
