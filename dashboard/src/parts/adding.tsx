// A form in a dialog, behind a button: what makes one thing more.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { invalidate } from '../api/query';
import { Dialog } from './dialog';
import { Form } from './form';
import { toast } from './toast';

export function Adding({
  label,
  add,
  done,
  children,
}: {
  readonly label: string;
  readonly add: (data: FormData) => Promise<unknown>;
  readonly done: string;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const submit = async (data: FormData) => {
    await add(data);
    invalidate();
    toast(done);
    setOpen(false);
  };
  return (
    <>
      <button type="button" class="controls" onClick={() => setOpen(true)}>
        {label}…
      </button>
      {isOpen && (
        <Dialog title={label} onClose={() => setOpen(false)}>
          <Form label={label} submit={submit}>
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
