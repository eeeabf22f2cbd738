// What members write down about a day, to be seen beside the charts. What the catalogue changes is not written again: it is read there.
import { Rejection } from '../errors.js';
import { projectEvents, type ProjectData, type ProjectEvent } from './events.js';
import type { Project } from './state.js';

export type AnnotationCommand =
  | { readonly kind: 'addAnnotation'; readonly annotation: ProjectData<'AnnotationAdded'> }
  | { readonly kind: 'deleteAnnotation'; readonly annotationId: string };

const MAX_ANNOTATIONS = 1000;

export function decideAnnotation(c: AnnotationCommand, { annotationIds }: Project): ProjectEvent[] {
  const id = c.kind === 'addAnnotation' ? c.annotation.annotationId : c.annotationId;
  const isThere = annotationIds.includes(id);
  if (c.kind === 'deleteAnnotation') {
    if (isThere) return [projectEvents.AnnotationDeleted.of({ annotationId: id })];
    throw new Rejection(
      'missing',
      'annotation-unknown',
      'no such annotation in this project; those of catalogue changes cannot be deleted',
    );
  }
  if (isThere) return [];
  if (annotationIds.length >= MAX_ANNOTATIONS) {
    throw new Rejection(
      'conflict',
      'too-many-annotations',
      `a project holds at most ${MAX_ANNOTATIONS} annotations; delete one first`,
    );
  }
  return [projectEvents.AnnotationAdded.of(c.annotation)];
}
