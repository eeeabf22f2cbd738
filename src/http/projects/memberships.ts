// Memberships of users, with their projects.
import type { Scan } from '../../adapters/documents/port.js';
import { scanPages } from '../../adapters/documents/records.js';
import { projects, type MembershipDoc, type ProjectDoc } from '../../projections/models/projects.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { Role } from '../../domain/project/roles.js';

const PAGE_SIZE = 500;

/** Yields the projects of which a user is a member, or of which anybody is one if `userId` is null. */
export async function* readMemberships(
  readModels: ReadModels,
  userId: string | null,
): AsyncGenerator<{ readonly project: ProjectDoc; readonly role: Role }> {
  const memberships = { index: 'user', eq: userId === null ? [] : [userId], limit: PAGE_SIZE };
  const read = (scan: Scan) => readModels.scanDerived<MembershipDoc>(projects, 'memberships', scan);
  for await (const rows of scanPages(memberships, read)) {
    const ids = rows.map(({ doc }) => doc.projectId);
    const found = await readModels.getMany(projects, ids);
    for (const { doc } of rows) {
      const project = found.get(doc.projectId);
      // A membership can be written shortly before its project.
      if (project) yield { project, role: doc.role };
    }
  }
}
