// Runs the type checks and the format check beside the lint rules, which take as long as all others together. Exits with 1 if one of them fails.
import { spawn } from 'node:child_process';

const rows = [
  ['eslint .'],
  ['tsc -p tsconfig.json --noEmit', 'tsc -p dashboard', 'prettier --check --log-level warn .'],
];

/** Runs commands one after another; returns whether all succeeded. */
async function succeeds(commands) {
  let areRight = true;
  for (const command of commands) {
    const [name, ...args] = command.split(' ');
    const code = await new Promise((resolve, reject) => {
      const child = spawn(name, args, { stdio: 'inherit', shell: process.platform === 'win32' });
      child.once('error', reject).once('close', resolve);
    });
    areRight &&= code === 0;
  }
  return areRight;
}

const results = await Promise.all(rows.map(succeeds));
process.exitCode = results.every(Boolean) ? 0 : 1;
