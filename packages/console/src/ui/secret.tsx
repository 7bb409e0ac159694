import { useT } from '../lang/language.tsx';
import { Code } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Button } from './parts.tsx';

/** A secret that is shown once: the dialog closes only when the reader says that it is stored. */
export function SecretDialog(props: {
  readonly title: string;
  readonly text: string;
  readonly secret: string | null;
  readonly onStored: () => void;
}) {
  const t = useT();
  return (
    <Dialog isOpen={props.secret !== null} title={props.title} onClose={props.onStored} isFirm>
      <p>{props.text}</p>
      <Code text={props.secret ?? ''} />
      <div className="end">
        <Button look="main" onClick={props.onStored}>
          {t('common.stored')}
        </Button>
      </div>
    </Dialog>
  );
}
