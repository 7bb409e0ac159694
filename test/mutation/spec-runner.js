import { readFileSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { workspaceOf } from './scope.js';

/** At most this many of the closest spec files run for a mutant. It limits the time of one mutant. */
const MAX_SPECS = 25;
/** The same for the embedded store, whose specs take longer: most of them open a store. */
const MAX_STORE_SPECS = 4;

/** Specs of processes, sockets and limits. They take long, and test other code than what is mutated. */
const OTHER_CODE = /\/(accidents|connection|limits|owner|server)\.spec\.ts$/;

/** The specs that run our code in their own process. The others call the compiled service over HTTP. */
const isSpec = (file) =>
  (file.startsWith('src/') && file.endsWith('.spec.ts')) ||
  (file.startsWith('packages/') && file.endsWith('.spec.ts') && !OTHER_CODE.test(file)) ||
  /\.repositor(y|ies)\.e2e-spec\.ts$|^test\/database\//.test(file);

const specsOf = (workspace) =>
  ['src', 'test']
    .map((root) => join(workspace, root))
    .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, name)))
    .filter(isSpec);

/** `discounts.repository` of both src/catalogue/discounts/discounts.repository.ts and its spec in test/discounts. */
const subject = (file) => basename(file).replace(/(\.e2e-spec|\.spec)?\.ts$/, '');
const folder = (file) => basename(dirname(file));

/** The spec of a file first, then those of its folder, then those that import from its folder. */
function closest(specs, file) {
  const imports = new RegExp(`from '[^']*/${folder(file)}/`);
  const distance = (spec) => {
    if (subject(spec) === subject(file)) return 0;
    if (folder(spec) === folder(file)) return 1;
    return imports.test(readFileSync(spec, 'utf8')) ? 2 : 3;
  };
  const most = workspaceOf(file) === '.' ? MAX_SPECS : MAX_STORE_SPECS;
  return specs.toSorted((a, b) => distance(a) - distance(b)).slice(0, most);
}

/** What the mutated code shares with us: which mutant is active, and how often which mutants ran. */
const mutation = (globalThis.__stryker__ = {});

/**
 * Runs our specs for Stryker, with a spec file as the unit: Stryker gets a list of which spec files run which mutants,
 * and a mutant runs in those only, one after the other, until one of them fails. Code that runs while a spec file loads
 * counts too.
 */
class SpecRunner {
  static inject = tokens(commonTokens.options);

  constructor({ mutate }) {
    this.workspaces = [...new Set(mutate.map(workspaceOf))];
  }

  async init() {
    register('../setup/typescript-hooks.js', import.meta.url, {
      data: { globals: new URL('../setup/jest-globals.js', import.meta.url).href, reloads: true },
    });
    const { runSpecFile } = await import('./spec-file.js');
    this.run = runSpecFile;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  /** Runs every spec file of the mutated workspaces without a mutant, to see that it passes and what it runs. */
  async dryRun() {
    mutation.mutantCoverage = { static: {}, perTest: {} };
    const tests = [];
    for (const spec of this.workspaces.flatMap(specsOf)) {
      mutation.currentTestId = spec;
      const start = performance.now();
      const failureMessage = await this.run(spec);
      const result = {
        id: spec,
        name: spec,
        fileName: join(process.cwd(), spec),
        timeSpentMs: performance.now() - start,
      };
      tests.push(
        failureMessage === null
          ? { ...result, status: TestStatus.Success }
          : { ...result, status: TestStatus.Failed, failureMessage },
      );
    }
    const { mutantCoverage } = mutation;
    delete mutation.mutantCoverage;
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    let nrOfTests = 0;
    for (const spec of closest(testFilter, activeMutant.fileName)) {
      Object.assign(mutation, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
      const failureMessage = await this.run(spec);
      nrOfTests += 1;
      if (mutation.hitCount > hitLimit) return { status: MutantRunStatus.Timeout, reason: 'an endless loop' };
      if (failureMessage !== null) {
        return { status: MutantRunStatus.Killed, killedBy: [spec], failureMessage, nrOfTests };
      }
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'specs', SpecRunner)];
