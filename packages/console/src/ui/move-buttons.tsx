import { Button } from './parts.tsx';

interface MoveButtonsProps {
  /** Of the entry in its list. */
  readonly index: number;
  readonly count: number;
  readonly up: string;
  readonly down: string;
  readonly onMove: (by: -1 | 1) => void;
}

/** Move an entry of a list by one place. @param up what the first one does, for those who hear it; `down` likewise */
export function MoveButtons({ index, count, up, down, onMove }: MoveButtonsProps) {
  return (
    <>
      <Button look="plain" icon="up" aria-label={up} disabled={index === 0} onClick={() => onMove(-1)} />
      <Button look="plain" icon="down" aria-label={down} disabled={index === count - 1} onClick={() => onMove(1)} />
    </>
  );
}
