// Checks types and rules beside the format. Exits with 1 if one of them fails.
import { spawn } from 'node:child_process';

const commands = ['oxlint', 'prettier --check --log-level warn .'];

/** Returns whether the command succeeded. */
async function succeeds(command) {
  const [name, ...args] = command.split(' ');
  const code = await new Promise((resolve, reject) => {
    const child = spawn(name, args, { stdio: 'inherit', shell: process.platform === 'win32' });
    child.once('error', reject).once('close', resolve);
  });
  return code === 0;
}

const results = await Promise.all(commands.map(succeeds));
process.exitCode = results.every(Boolean) ? 0 : 1;
