// Light, dark, or what the system says: the rule of the style sheet for dark screens gets another condition.
(() => {
  const dark = [...document.styleSheets[0].cssRules].find((rule) => rule.media?.mediaText.includes("dark"));
  const conditions = { system: dark.media.mediaText, light: "not all", dark: "screen" };
  const themes = Object.keys(conditions);
  let theme = "system";
  const control = busbar.button("", "Colours of this page", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    dark.media.mediaText = conditions[theme];
    document.documentElement.style.colorScheme = theme === "system" ? "light dark" : theme;
    show();
  });
  const show = () => (control.textContent = `theme: ${theme}`);
  control.className = "theme";
  show();
  (document.querySelector("#contents details") ?? document.querySelector("header")).append(control);
})();
