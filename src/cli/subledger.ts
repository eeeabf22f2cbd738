#!/usr/bin/env node
// The command line: one file per command.
import { Command } from 'commander';
import { serve } from './serve.js';

const program = new Command('subledger').description('Self-hosted, event-sourced back end for in-app subscriptions');

program.command('serve').description('run the service').action(serve);

await program.parseAsync();
