import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useT } from '../lang/language.tsx';
import { FormProblem } from './form.tsx';
import { Button } from './parts.tsx';

/** A dialog for something short. It keeps the focus and gives it back. */
export function Dialog(props: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
  /** Whether only its own button closes it, as for a secret that is shown once. */
  readonly isFirm?: boolean;
}) {
  const t = useT();
  const { isFirm = false } = props;
  return (
    <Modal.Root
      opened={props.isOpen}
      onClose={props.onClose}
      size={props.isWide === true ? '38rem' : '30rem'}
      centered
      closeOnClickOutside={!isFirm}
      closeOnEscape={!isFirm}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content className="dialog-box">
        {/* No `header`: that would be a second banner of the page. */}
        <div className="between dialog-head">
          <Modal.Title className="dialog-title">{props.title}</Modal.Title>
          {!isFirm && <Modal.CloseButton aria-label={t('common.close')} />}
        </div>
        <Modal.Body className="dialog-body">{props.children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Asks before something that cannot be undone: it says what happens, and its button is named by the act. */
export function Confirm(props: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly act: string;
  readonly keep: string;
  readonly onAct: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What must be typed before the act, for the greatest damage. */
  readonly typed?: string;
}) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const act = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await props.onAct();
      setText('');
      props.onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog isOpen={props.isOpen} title={props.title} onClose={props.onClose}>
      <div>{props.children}</div>
      <FormProblem form={{ failure }} />
      {props.typed !== undefined && (
        <label className="field">
          <span className="lab">{t('common.typeToConfirm', { text: props.typed })}</span>
          <input className="input" name="typed" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      <div className="end">
        <Button onClick={props.onClose}>{props.keep}</Button>
        <Button
          look="danger"
          isBusy={isBusy}
          disabled={props.typed !== undefined && text !== props.typed}
          onClick={() => void act()}
        >
          {props.act}
        </Button>
      </div>
    </Dialog>
  );
}
