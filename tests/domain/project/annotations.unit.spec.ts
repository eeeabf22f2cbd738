// The rules of annotations that members write.
import { projectDecider } from '../../../src/domain/project/decide.js';
import { projectEvents as e } from '../../../src/domain/project/events.js';
import { given } from '../spec.js';

const created = e.ProjectCreated.of({
  ...{ projectId: 'proj_1', name: 'Weather', ownerId: 'user_1', displayCurrency: 'USD' },
  ...{ transferBehavior: 'transfer', sandboxAccess: 'anybody' },
});
const note = (annotationId: string) => ({ annotationId, day: '2026-11-20', text: 'A note', kind: 'note' as const });
const added = (id: string) => e.AnnotationAdded.of(note(id));
const deleted = e.AnnotationDeleted.of({ annotationId: 'ann_1' });
const add = { kind: 'addAnnotation' as const, annotation: note('ann_1') };
const remove = { kind: 'deleteAnnotation' as const, annotationId: 'ann_1' };

describe('annotations of a project', () => {
  it('are added once', () => {
    given(projectDecider, created).when(add).then(added('ann_1'));
    given(projectDecider, created, added('ann_1')).when(add).thenNothing();
  });

  it('are deleted once', () => {
    given(projectDecider, created, added('ann_1')).when(remove).thenOnce(deleted);
    given(projectDecider, created, added('ann_1'), deleted).when(remove).thenRejected('annotation-unknown');
  });

  it('are a thousand at most', () => {
    const all = Array.from({ length: 1000 }, (_, i) => added(`ann_x${i}`));
    given(projectDecider, created, ...all)
      .when(add)
      .thenRejected('too-many-annotations');
  });
});
