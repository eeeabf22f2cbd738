// Entry point of the dashboard.
import { render } from 'preact';
import { App, preloadPage } from './app/app';
import { startPreferences } from './context/preferences';
import { followOtherTabs, startSession } from './session/session';
import './styles/theme.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/nav.css';
import './styles/parts.css';
import './styles/forms.css';
import './styles/states.css';
import './styles/dialog.css';
import './styles/figures.css';
import './styles/tables.css';

startPreferences();
followOtherTabs();
void startSession(preloadPage);
const place = document.getElementById('page');
if (place) render(<App />, place);
