package engines

// AboutChildren reports whether a label is about the safety of children, in text, where
// it is a sub-label, or in pictures.
func AboutChildren(c Category, sub string) bool {
	return c == ChildSafety || c == Illegal && sub == "child_safety"
}

// Gravest is the label that a record of the finding goes by: one about the safety of
// children before all others, then the more severe, then the more certain one; nil
// where there is none.
func Gravest(labels []Label) *Label {
	var worst *Label
	for i := range labels {
		if l := &labels[i]; worst == nil || graver(l, worst) {
			worst = l
		}
	}
	return worst
}

func graver(a, b *Label) bool {
	if x, y := AboutChildren(a.Category, a.SubLabel), AboutChildren(b.Category, b.SubLabel); x != y {
		return x
	}
	if a.Severity != b.Severity {
		return a.Severity > b.Severity
	}
	return a.Confidence > b.Confidence
}
