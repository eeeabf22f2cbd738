// Button that answers the question of a store about a refund: by the setting of the app, or as the member chooses.
import type { Schemas } from '../api/client';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { refundAnswers, refundChoices } from '../names/refund-answers';
import { Check, Form, Select } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { toast } from '../parts/toast';

type Question = Schemas['RefundRequest'];
type Answer = { readonly preference?: Question['preferences'][number]; readonly customerConsented?: boolean };

const DONE = 'Sent to the store, which decides.';

export function AnswerRefund({ question }: { readonly question: Question }) {
  const { project, may } = useProject();
  const { id, refundAnswer, needsConsent, preferences, transactionId } = question;
  if (!may('support')) return null;
  const send = (body: Answer) => {
    const params = { path: { id: project.id, requestId: id } };
    return unwrap(api.POST('/v1/projects/{id}/refund-requests/{requestId}/answer', { params, body }));
  };
  if (refundAnswer !== 'none' && !needsConsent) {
    const submit = async () => {
      await send({});
      invalidate();
      toast(DONE);
    };
    return (
      <Form label={refundAnswers[refundAnswer]} submit={submit} isPlain>
        {null}
      </Form>
    );
  }
  const answer = (data: FormData) =>
    send({
      preference: text(data, 'preference') as Question['preferences'][number],
      ...(needsConsent && { customerConsented: data.get('customerConsented') !== null }),
    });
  return (
    <FormDialog label="Answer" title={`Refund of ${transactionId}`} action="Send" add={answer} done={DONE}>
      <Select
        label="Prefer"
        name="preference"
        value={refundAnswer === 'none' ? preferences[0] : refundAnswer}
        options={refundChoices(preferences)}
      />
      {needsConsent && (
        <Check
          label="The customer agreed that the store gets data about the purchase"
          name="customerConsented"
          value="on"
          isOn={false}
        />
      )}
    </FormDialog>
  );
}
