// Confirmation of an action that cannot be undone: states what stops working and, if known, who used it last.
import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { invalidate } from '../api/query';
import { Dialog } from './dialog';
import { Form } from './form';
import { Icon } from './icon';
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
  /** Title of the dialog, if the button's label does not name the object. */
  readonly title?: string;
  /** Label of the dialog's submit button. */
  readonly action?: string;
  readonly run: (data: FormData) => unknown;
  /** Confirmation message; optional if the result is visible on the page. */
  readonly done?: string;
  /** Consequences: what stops working, for whom, and when. */
  readonly breaks: ComponentChildren;
  readonly lastUse?: ComponentChildren;
  /** Renders the button as a small cross; its label is for screen readers. */
  readonly isIcon?: boolean;
  /** Form fields. */
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
          <Icon of={X} />
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
