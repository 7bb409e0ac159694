import { Link as RouterLink, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentPropsWithoutRef, type ReactNode } from 'react';

/** The parameters of the address, such as `orderId`. */
export const usePlace = (): Readonly<Record<string, string>> => useParams({ strict: false });

export type Search = Readonly<Record<string, string | undefined>>;

type LinkProps = Omit<ComponentPropsWithoutRef<'a'>, 'href'> & {
  /** Below `/console`. */
  readonly to: string;
  readonly search?: Search;
  readonly children: ReactNode;
};

/** A link to a page of the console. */
export function Link({ to, search = {}, ...rest }: LinkProps) {
  // A page is current at its own address only; the navigation says more, because a detail belongs to its list.
  return <RouterLink {...rest} to={to} search={search} activeProps={{}} activeOptions={{ exact: true }} />;
}

/** Goes to a page of the console. */
export function useGo(): (to: string, search?: Search, replaces?: boolean) => void {
  const navigate = useNavigate();
  return (to, search = {}, replaces = false) => void navigate({ to: to, search: search, replace: replaces });
}

/** The state of a list, which lives in the address: reading it, and changing some of it. An empty value leaves the address. */
export function useSearchState(): readonly [Search, (changes: Search) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: Search): void => {
    const next = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '.', search: Object.fromEntries(next) });
  };
  return [search, change];
}
