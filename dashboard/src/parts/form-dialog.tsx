// Button that opens a form in a dialog, which creates or changes an object.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { invalidate } from '../api/query';
import { Dialog } from './dialog';
import { Form } from './form';
import { toast } from './toast';

export function FormDialog({
  label,
  title = label,
  action = label,
  add,
  done,
  children,
}: {
  readonly label: string;
  /** Title of the dialog, if the button's label does not name the object. */
  readonly title?: string;
  /** Label of the dialog's submit button. */
  readonly action?: string;
  readonly add: (data: FormData) => unknown;
  /** Confirmation message; optional if the result is visible on the page. */
  readonly done?: string;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const submit = async (data: FormData) => {
    await add(data);
    invalidate();
    if (done !== undefined) toast(done);
    setOpen(false);
  };
  return (
    <>
      <button type="button" class="controls" onClick={() => setOpen(true)}>
        {label}…
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <Form label={action} submit={submit}>
            {children}
          </Form>
        </Dialog>
      )}
    </>
  );
}

export function text(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}
