// Invitation form. The service sends no emails, so the link is shown once, to be passed on.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { useProject, type Role } from '../context/project';
import { FormDialog, text } from '../parts/form-dialog';
import { Copy } from '../parts/copy';
import { Dialog } from '../parts/dialog';
import { Field, Select } from '../parts/form';
import { Time } from '../parts/time';
import { ROLE_DESCRIPTIONS, assignableRoles } from './roles';

type CreatedInvitation = Schemas['NewInvitation'];

export function Invite() {
  const { project } = useProject();
  const [invitation, setInvitation] = useState<CreatedInvitation | null>(null);
  const add = async (data: FormData) => {
    const body = { email: text(data, 'email'), role: text(data, 'role') as Role };
    setInvitation(await unwrap(api.POST('/v1/projects/{id}/members', { params: { path: { id: project.id } }, body })));
  };
  return (
    <>
      <FormDialog label="Invite member" add={add} done="Invited.">
        <Field label="Email" name="email" type="email" required autocomplete="off" />
        <Select
          label="Role"
          name="role"
          value="viewer"
          options={assignableRoles(project.role).map((role) => [role, ROLE_DESCRIPTIONS[role]] as const)}
        />
      </FormDialog>
      {invitation !== null && (
        <Dialog title="Share this address" onClose={() => setInvitation(null)}>
          <p>
            No email is sent. Whoever opens it first joins as {invitation.role}, until{' '}
            <Time at={invitation.expiresAt} />. It is shown only once.
          </p>
          <Copy value={invitation.inviteUrl} label="the address" />
        </Dialog>
      )}
    </>
  );
}
