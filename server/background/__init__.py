"""What goes on without anybody asking: tracking, imports, recovery. No model is needed here."""
