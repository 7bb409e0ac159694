/** The icons of the pages: paths in a square of 24. */
export const ICONS = {
  cart: 'M5 9h14l-1.4 9.2a2 2 0 0 1-2 1.8H8.4a2 2 0 0 1-2-1.8L5 9zM9 9l1.6-5M15 9l-1.6-5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20',
  tag: 'M4 4.5h7.5l8 8-7 7-8.5-8V4.5zM8.2 8.5h.01',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20a7.5 7.5 0 0 1 15 0',
  bolt: 'M13 3L5 13.5h6L10.5 21 19 10.5h-6L13 3z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  down: 'M6 9.5l6 6 6-6',
  plus: 'M12 5.5v13M5.5 12h13',
  minus: 'M5.5 12h13',
  warning: 'M12 4L2.8 19.5h18.4L12 4zM12 10v4.5M12 17.2h.01',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.2l3.4 2',
  gift: 'M4 10h16v10H4zM3 6.5h18V10H3zM12 6.5V20M12 6.5c-4 0-4.5-3.5-2.5-3.5S12 6.5 12 6.5zm0 0c4 0 4.5-3.5 2.5-3.5S12 6.5 12 6.5z',
  pen: 'M4 20l1-4.5L16 4.5l3.5 3.5-11 11L4 20z',
  copy: 'M9 9h10.5v10.5H9zM5 15H4.5V4.5H15V5',
  server: 'M4 4.5h16v6H4zM4 13.5h16v6H4zM7.5 7.5h.01M7.5 16.5h.01',
} as const;
