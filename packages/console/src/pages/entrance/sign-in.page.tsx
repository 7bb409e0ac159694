import { useGo, useSearchState } from '../../app/links.tsx';
import { placeOf } from './entering.ts';
import { SignInForm } from './sign-in-form.tsx';

export default function SignInPage() {
  const [search] = useSearchState();
  const go = useGo();
  const leave = (): void => {
    const [path = '/', query = ''] = placeOf(search['next']).split('?');
    go(path, Object.fromEntries(new URLSearchParams(query)), true);
  };
  return <SignInForm onDone={leave} />;
}
