import { program } from './cli/program.js';
import { explain } from './cli/problems.js';

/** The command line of the operator: `npm run shop -- COMMAND`, `node dist/app/cli.js COMMAND`. */
process.setSourceMapsEnabled(true);
// Only the owner of the process can read the files that it makes, as in serve.ts.
process.umask(0o077);
try {
  await program().parseAsync();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  // An application that could not start keeps its connection to the database open.
  process.exit(1);
}
