// A form in a dialog, opened by a button: what makes one thing more or changes it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { invalidate } from '../api/query';
import { Dialog } from './dialog';
import { Form } from './form';
import { toast } from './toast';

export function Adding({
  label,
  title = label,
  action = label,
  add,
  done,
  children,
}: {
  readonly label: string;
  /** Of the dialog, where the button's label does not name what it is about. */
  readonly title?: string;
  /** What the dialog's own button says. */
  readonly action?: string;
  readonly add: (data: FormData) => unknown;
  /** Absent: what is done says it by itself. */
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
