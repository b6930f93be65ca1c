// Notifications when it is the player's turn, where the browser allows them: on secure pages, after asking.

const can = () => 'Notification' in window && isSecureContext;

export class Bell {
  /** @param {HTMLElement} button */
  constructor(button) {
    this.button = button;
    button.addEventListener('click', async () => {
      await Notification.requestPermission();
      button.hidden = true;
    });
  }

  /** Offers to ask for the permission. @param {boolean} isPlaying */
  offer(isPlaying) {
    this.button.hidden = !isPlaying || !can() || Notification.permission !== 'default';
  }

  /** @param {string} text @param {string} kind @param {string} tag */
  ring(text, kind, tag) {
    if (!document.hidden || !can() || Notification.permission !== 'granted') return;
    try {
      const note = new Notification(text, { body: kind, tag, icon: '/icon.svg' });
      note.onclick = () => {
        focus();
        note.close();
      };
    } catch {
      // Some phones allow notifications to service workers only.
    }
  }
}
