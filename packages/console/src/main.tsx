import { ApiError } from '@shop-platform/client';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import './ui/theme.css';
import './ui/console.css';
import './ui/extra.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Look } from './app/look.tsx';
import { router } from './app/router.tsx';
import { browserLanguage, LanguageProvider } from './lang/language.tsx';
import { Toasts } from './ui/toasts.tsx';

// The scroll lock of dialogs adds a style of its own, beside Mantine's.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '');

/** The session has ended elsewhere: back to the page where one signs in. */
function onError(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) client.setQueryData(['me'], null);
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client of the API repeats what may be repeated.
      retry: false,
    },
  },
});

const app = document.querySelector('#app');
if (app === null) throw new Error('index.html has no #app');
createRoot(app).render(
  <StrictMode>
    <Look>
      <LanguageProvider initial={browserLanguage()}>
        <QueryClientProvider client={client}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </QueryClientProvider>
      </LanguageProvider>
    </Look>
  </StrictMode>,
);
