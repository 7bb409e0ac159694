import { type SavedView } from './preferences.types.js';

/** Filters that name a buyer: what a person has saved would keep the name after the buyer was erased. */
const NAMING: ReadonlySet<string> = new Set(['q', 'email', 'nickname', 'paymentId']);
const NAME = /^[A-Za-z]{1,30}$/;
const VALUE = /^[\w.:,+-]{1,100}$/;

/** What is wrong with the filters of a view, one sentence for each problem. They are a query, such as `status=open&sort=oldest`. */
export function filterProblems(filters: string): readonly string[] {
  const problems = new Set<string>();
  for (const [name, value] of new URLSearchParams(filters)) {
    if (NAMING.has(name)) problems.add(`filters must not have ${name}, which can name a buyer`);
    else if (!NAME.test(name) || !VALUE.test(value))
      problems.add('filters must be a query such as status=open&sort=oldest');
  }
  return [...problems];
}

/** What is wrong with views together. */
export function viewProblems(views: readonly SavedView[]): readonly string[] {
  const names = views.map(({ list, name }) => `${list} ${name.toLowerCase()}`);
  return new Set(names).size === names.length ? [] : ['views must not have two of one list with the same name'];
}
