/** The theme of the pages, and links to the services beside this one. Runs before the page is drawn. */
{
  // The explorer's page has the same name for it, and both the same place where they share an origin.
  const key = 'theme';
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    root.dataset.theme = localStorage.getItem(key) ?? (prefersDark.matches ? 'dark' : 'light');
  };
  show();
  prefersDark.addEventListener('change', show);

  const ofThisMachine = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]'];
  document.addEventListener('DOMContentLoaded', () => {
    document.querySelector('.theme').addEventListener('click', () => {
      localStorage.setItem(key, root.dataset.theme === 'dark' ? 'light' : 'dark');
      show();
    });
    // A service of the same machine has, seen from another one, the name of this page.
    for (const link of document.querySelectorAll('a[href^="http"]'))
      if (ofThisMachine.includes(link.hostname)) link.hostname = location.hostname;
  });
}
