// Clean-up after an app or a project was deleted by a process that did nothing else.
import { expect } from 'chai';
import { deleteProject } from '../../../src/commands/projects/projects.js';
import { credentialCollection, findCredentials } from '../../../src/commands/projects/credentials.js';
import { runCommand } from '../../../src/commands/handling/run-command.js';
import { projectDecider } from '../../../src/domain/project/decide.js';
import { streams } from '../../../src/domain/streams.js';
import { deletionCleanupReaction } from '../../../src/workers/reactions/completions.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { monthly, notification } from '../../commands/support/store-data.js';
import { createProjectFixture, type ProjectFixture } from '../../commands/support/project-fixture.js';

async function endApp({ deps, projectId, app }: ProjectFixture): Promise<void> {
  const command = { kind: 'deleteApp' as const, appId: app.appId };
  const actor = { kind: 'user' as const, id: 'user_1' };
  const ctx = { commandId: 'req_end', correlationId: 'req_end', actor, projectId };
  await runCommand(deps, streams.project(projectId), projectDecider, [command], ctx);
}

/** Also after the end, as if the process had been cut between the event and the record. */
async function keepCredentials({ deps, projectId, app: { appId } }: ProjectFixture): Promise<void> {
  const doc = { projectId, appId, store: 'ios-store', createdAt: '', terms: {}, privateKey: 'sealed' };
  await deps.docs.write([[{ c: credentialCollection.name, id: appId, expect: null, guard: '1', doc }]]);
}

async function react({ deps }: ProjectFixture): Promise<void> {
  const reaction = deletionCleanupReaction(deps);
  for (const event of await eventsOf(deps.log)) if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
}

const typesOf = async ({ deps }: ProjectFixture) => (await eventsOf(deps.log)).map((e) => e.type);

describe('the clean-up after a deletion', () => {
  it('deletes the products and forgets the credentials of an app, once', async () => {
    const fixture = await createProjectFixture();
    await keepCredentials(fixture);
    await endApp(fixture);
    await react(fixture);
    const types = await typesOf(fixture);
    expect(types.slice(-3)).to.deep.equal(['AppDeleted', 'EntitlementProductDetached', 'ProductDeleted']);
    expect(await findCredentials(fixture.deps, fixture.app.appId)).to.equal(null);
    await react(fixture);
    expect(await typesOf(fixture)).to.deep.equal(types);
  });

  it('names the event they followed from', async () => {
    const fixture = await createProjectFixture();
    await endApp(fixture);
    await react(fixture);
    const events = await eventsOf(fixture.deps.log);
    const ended = events.find((e) => e.type === 'AppDeleted');
    expect(events.at(-1)?.meta).to.include({ causationId: ended?.id, correlationId: 'req_end' });
  });

  it('forgets the credentials of a project', async () => {
    const fixture = await createProjectFixture();
    await deleteProject(fixture.deps, fixture.by(), fixture.projectId);
    await keepCredentials(fixture);
    await react(fixture);
    expect(await findCredentials(fixture.deps, fixture.app.appId)).to.equal(null);
  });

  it('leaves what was received of an app before its end to be refused', async () => {
    const fixture = await createProjectFixture();
    await fixture.receive(notification('SUBSCRIBED', monthly()));
    await endApp(fixture);
    await fixture.processAll();
    const processed = (await eventsOf(fixture.deps.log)).find((e) => e.type === 'StoreNotificationProcessed');
    expect(processed?.data).to.include({ outcome: 'refused', reason: 'the app was deleted' });
    expect(await fixture.subscribers()).to.deep.equal([]);
  });
});
