// Project selection. An instance without a project offers one choice: look around in a demo, or connect an app.
import { FlaskConical, Smartphone } from 'lucide';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { Form } from '../parts/form';
import { Icon } from '../parts/icon';
import { Link } from '../parts/link';
import { ConnectApp } from './connect-app';
import type { Project } from '../context/project';
import { navigate } from '../context/router';

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

export function Projects({ projects }: { readonly projects: readonly Project[] }) {
  const isFirst = projects.length === 0;
  const isForDemos = isFirst && LOOPBACK.test(window.location.host);
  return (
    <>
      <h1>{isFirst ? 'Where do you want to start?' : 'Projects'}</h1>
      {!isFirst && (
        <ul class="cards">
          {projects.map((project) => (
            <li key={project.id} class="card">
              <h2>
                <Link to={`/projects/${project.id}`}>{project.name}</Link>
              </h2>
              <p class="hint">
                You are {project.role}
                {project.demo !== null && ' · demo'}
              </p>
            </li>
          ))}
        </ul>
      )}
      <div class="choice">
        {isForDemos && <LoadDemo />}
        <section class="card" aria-labelledby="connect-app">
          <h2 id="connect-app">
            <Icon of={Smartphone} /> {isFirst ? 'Connect an app' : 'Connect another app'}
          </h2>
          <p class="hint">
            {isFirst ? 'A project for your own app, with a guide to its first notification.' : 'In a new project.'}
          </p>
          <ConnectApp />
        </section>
      </div>
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
    <section class="card" aria-labelledby="load-demo">
      <h2 id="load-demo">
        <Icon of={FlaskConical} /> Look around in a demo
      </h2>
      <p class="hint">
        A project with simulated customers and 14 months of their history: trials, renewals, refunds, billing problems,
        an experiment. It takes about a minute, and it can be deleted like any other.
      </p>
      <Form label="Load the demo" submit={load}>
        {null}
      </Form>
    </section>
  );
}
