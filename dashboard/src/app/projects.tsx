// Project selection, and the form that creates the first project.
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { Empty } from '../parts/states';
import { Field, Form } from '../parts/form';
import { Link } from '../parts/link';
import type { Project } from './project';
import { navigate } from './router';

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

export function Projects({ projects }: { readonly projects: readonly Project[] }) {
  const create = async (data: FormData) => {
    const project = await unwrap(api.POST('/v1/projects', { body: { name: String(data.get('name')) } }));
    invalidate();
    navigate(`/projects/${project.id}/setup`);
  };
  const isForDemos = LOOPBACK.test(window.location.host) && projects.every(({ demo }) => demo !== null);
  return (
    <>
      <h1>Projects</h1>
      {projects.length === 0 ? (
        <Empty title="You have no project yet.">
          <p>Create one for your app below{isForDemos ? ', or look around in a demo first' : ''}.</p>
        </Empty>
      ) : (
        <ul class="cards">
          {projects.map((project) => (
            <li key={project.id} class="card">
              <h2>
                <Link to={`/projects/${project.id}`}>{project.name}</Link>
              </h2>
              <p>
                You are {project.role}
                {project.demo !== null && ' · demo'}
              </p>
            </li>
          ))}
        </ul>
      )}
      {isForDemos && <LoadDemo />}
      <section class="card narrow" aria-labelledby="new-project">
        <h2 id="new-project">New project</h2>
        <Form label="Create project" submit={create}>
          <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
        </Form>
      </section>
    </>
  );
}

function LoadDemo() {
  const load = async () => {
    const project = await unwrap(api.POST('/v1/demo'));
    invalidate();
    navigate(`/projects/${project.id}/overview`);
  };
  return (
    <section class="card narrow" aria-labelledby="load-demo">
      <h2 id="load-demo">Demo</h2>
      <p>A project with simulated customers and 14 months of their history. It can be deleted like any other.</p>
      <Form label="Load the demo" submit={load}>
        {null}
      </Form>
    </section>
  );
}
