import { Menu as MantineMenu } from '@mantine/core';
import { type ReactElement, type ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

export interface MenuEntry {
  readonly label: ReactNode;
  readonly onSelect: () => void;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
}

/** What a button opens: further acts. `null` is a line. */
export function Menu({
  button,
  entries,
}: {
  readonly button: ReactElement;
  readonly entries: readonly (MenuEntry | null)[];
}) {
  return (
    <MantineMenu transitionProps={{ duration: 0 }} position="bottom-end" width="auto" withinPortal>
      <MantineMenu.Target>{button}</MantineMenu.Target>
      <MantineMenu.Dropdown className="menu">
        {entries.map((entry, index) =>
          entry === null ? (
            <hr key={index} />
          ) : (
            <MantineMenu.Item
              key={index}
              className={entry.isDanger === true ? 'danger' : ''}
              leftSection={entry.icon && <Icon name={entry.icon} />}
              onClick={entry.onSelect}
            >
              {entry.label}
            </MantineMenu.Item>
          ),
        )}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}
